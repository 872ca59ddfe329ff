import { parseRequest } from "../decide/request.ts";
import type { DecideOptions } from "../decide/types.ts";
import { DEVICES } from "../engine/devices.ts";
import type { Device, Precision, OnProgress } from "../engine/engine.ts";
import type { Platform } from "../platform/platform.ts";
import {
  A_FUNCTION,
  A_LIST,
  AN_ABORT_SIGNAL,
  checkCallOptions,
  checkOptions,
  Field,
  filledString,
  isPlainObject,
  nearest,
  numberBetween,
  numberFrom,
  oneOf,
  shownName,
  throwIfOptionsInvalid,
  TRUE_OR_FALSE,
  wholeNumber,
  type Rule,
  type RulesOf,
} from "../validation/field.ts";
import type { Aliases } from "./catalogue.ts";
import type { DeciderOptions, ReadOptions } from "./decider.ts";

/** A decider's options with nothing left open. */
export interface DeciderSettings {
  readonly model: string | URL;
  readonly aliases: Aliases;
  readonly device: Device | "auto";
  readonly precision: Precision | undefined;
  readonly threads: number;
  readonly workers: number;
  readonly inline: boolean;
  readonly maxPending: number;
  readonly cacheBytes: number;
  readonly assets: string | undefined;
  readonly lessons: readonly unknown[];
  readonly onProgress: OnProgress | undefined;
  readonly signal: AbortSignal | undefined;
}

const DEVICE_NAMES = ["auto", ...Object.keys(DEVICES)];
const PRECISIONS: readonly Precision[] = ["int8", "fp16", "fp32"];

/** About as much as 1,300 tokens of the built-in model take. */
const DEFAULT_CACHE_BYTES = 32_000_000;

const DECIDER_RULES = {
  model: stringOrUrl("a catalogue id, a folder's path or a URL"),
  aliases: {
    isKept: (value) =>
      isPlainObject(value) &&
      Object.entries(value).every(([name, id]) => name !== "" && typeof id === "string" && id !== "" && !Object.hasOwn(value, id)),
    words: 'an object of models\' ids by further names, such as { "gpt-6-luna": "latest" }',
  },
  // A device that there is, but not on this platform, is told when it is needed.
  device: { ...oneOf(DEVICE_NAMES), shown: shownName },
  precision: {
    ...oneOf(PRECISIONS),
    shown: (value) => shownName(value, typeof value === "string" ? nearest(value, PRECISIONS) : undefined),
  },
  threads: wholeNumber(1, 64),
  workers: wholeNumber(1, 64),
  inline: TRUE_OR_FALSE,
  maxPending: wholeNumber(1),
  cacheBytes: wholeNumber(0),
  assets: stringOrUrl("a URL"),
  lessons: A_LIST,
  onProgress: A_FUNCTION,
  signal: AN_ABORT_SIGNAL,
} satisfies { readonly [Option in keyof DeciderOptions]-?: Rule };

const ONE_INLINE: Rule = { isKept: (value) => value === 1, words: "1 with inline: the caller's thread runs one model" };
const NEVER_INLINE: Rule = { isKept: (value) => value === false, words: "false in a browser, where a worker runs the model" };

const DECIDE_RULES: RulesOf<DecideOptions> = {
  signal: AN_ABORT_SIGNAL,
  maxInputTokens: numberFrom(1),
  maxErrorRate: numberBetween(0, 1),
  countCached: TRUE_OR_FALSE,
};

const READ_RULES: RulesOf<ReadOptions> = { signal: AN_ABORT_SIGNAL, model: filledString('the id of a model, or "latest"') };

/** @throws {DecideError} `invalid_request` naming every invalid option. */
export function readDeciderOptions(options: DeciderOptions, platform: Platform): DeciderSettings {
  const field = new Field(options, ["options"]);
  const device = { ...DECIDER_RULES.device, words: devicesOf(platform) };
  checkOptions(field, { ...DECIDER_RULES, device, ...(platform.loadInline === undefined && { inline: NEVER_INLINE }) });
  if (field.issues.length === 0 && options.inline === true) field.get("workers").mayKeep(ONE_INLINE);
  throwIfOptionsInvalid(field.issues);
  const { model = "latest", aliases = {}, precision, threads = platform.defaultThreads, workers = 1 } = options;
  const { inline = false, maxPending = 10_000, cacheBytes = DEFAULT_CACHE_BYTES, assets, lessons = [], onProgress, signal } = options;
  return {
    model,
    aliases,
    device: options.device ?? "auto",
    precision,
    threads,
    workers,
    inline,
    maxPending,
    cacheBytes,
    assets: assets?.toString(),
    lessons,
    onProgress,
    signal,
  };
}

/** The devices of a platform, in words that follow "must be". */
export function devicesOf({ devices }: Platform): string {
  return `${oneOf(["auto", ...devices]).words} on this platform`;
}

/**
 * A call's options. Callers in JavaScript may pass anything, so they are checked, too.
 * @throws {DecideError} `invalid_request` naming every invalid option, or what is wrong with the request.
 */
export function readDecideOptions(options: DecideOptions, request: unknown): DecideOptions {
  const field = new Field(options, ["options"]);
  checkOptions(field, DECIDE_RULES, Object.keys(DECIDER_RULES));
  // A request in pieces is refused as such: some of its fields may stand among the options.
  if (field.issues.length > 0) parseRequest(request);
  throwIfOptionsInvalid(field.issues);
  const { signal, maxInputTokens, maxErrorRate, countCached } = options;
  return { signal, maxInputTokens, maxErrorRate, countCached };
}

/**
 * The options of `read`.
 * @throws {DecideError} `invalid_request` naming every invalid option
 */
export function readReadOptions(options: ReadOptions): ReadOptions {
  checkCallOptions(options, READ_RULES, Object.keys(DECIDER_RULES));
  const { signal, model } = options;
  return { signal, model };
}

function stringOrUrl(words: string): Rule {
  const { isKept } = filledString(words);
  return { isKept: (value) => isKept(value) || value instanceof URL, words };
}
