import type { DecideOptions } from "../decide/types.ts";
import type { Device, Precision } from "../engine/engine.ts";
import type { Platform } from "../platform/platform.ts";
import { Field } from "../validation/field.ts";
import { throwIfOptionsInvalid } from "../validation/invalid.ts";
import { AN_ABORT_SIGNAL, A_FUNCTION, TRUE_OR_FALSE, filledString, numberFrom, oneOf, wholeNumber } from "../validation/rules.ts";
import type { Rule, RulesOf } from "../validation/rules.ts";
import type { DeciderOptions } from "./decider.ts";
import type { OnProgress } from "../engine/progress.ts";

/** A decider's options with nothing left open. */
export interface DeciderSettings {
  readonly model: string | URL;
  readonly device: Device | "auto";
  readonly precision: Precision | undefined;
  readonly threads: number;
  readonly inline: boolean;
  readonly maxPending: number;
  readonly assets: string | undefined;
  readonly onProgress: OnProgress | undefined;
  readonly signal: AbortSignal | undefined;
}

const DECIDER_RULES: RulesOf<DeciderOptions> = {
  model: stringOrUrl("a catalogue id, a folder's path or a URL"),
  device: { isKept: (value) => typeof value === "string", words: "a device's name" },
  precision: oneOf(["int8", "fp16", "fp32"] satisfies Precision[]),
  threads: wholeNumber(1, 64),
  inline: TRUE_OR_FALSE,
  maxPending: wholeNumber(1),
  assets: stringOrUrl("a URL"),
  onProgress: A_FUNCTION,
  signal: AN_ABORT_SIGNAL,
};

const NEVER_INLINE: Rule = { isKept: (value) => value === false, words: "false in a browser, where a worker runs the model" };

const DECIDE_RULES: RulesOf<DecideOptions> = { signal: AN_ABORT_SIGNAL, maxInputTokens: numberFrom(1) };

/** @throws {DecideError} `invalid_request` naming every invalid option. */
export function readDeciderOptions(options: DeciderOptions, platform: Platform): DeciderSettings {
  const field = new Field(options, ["options"]);
  checkAll(field, platform.loadInline === undefined ? { ...DECIDER_RULES, inline: NEVER_INLINE } : DECIDER_RULES);
  throwIfOptionsInvalid(field.issues);
  const { model = "latest", device = "auto", precision, threads = platform.defaultThreads } = options;
  const { inline = false, maxPending = 10_000, assets, onProgress, signal } = options;
  return { model, device, precision, threads, inline, maxPending, assets: assets?.toString(), onProgress, signal };
}

/**
 * A call's options. Callers in JavaScript may pass anything, so they are checked, too.
 * @throws {DecideError} `invalid_request` naming every invalid option.
 */
export function readDecideOptions(options: DecideOptions): DecideOptions {
  const field = new Field(options, ["options"]);
  checkAll(field, DECIDE_RULES);
  throwIfOptionsInvalid(field.issues);
  const { signal, maxInputTokens } = options;
  return { signal, maxInputTokens };
}

function checkAll(options: Field, rules: { readonly [option: string]: Rule }): void {
  if (typeof options.value !== "object" || options.value === null) options.refuseType("an object");
  else for (const [name, rule] of Object.entries(rules)) options.get(name).mayKeep(rule);
}

function stringOrUrl(words: string): Rule {
  const { isKept } = filledString(words);
  return { isKept: (value) => isKept(value) || value instanceof URL, words };
}
