import { DecideError } from "../../../../errors.ts";
import type { HubTokenizer, SpecialToken } from "../../../tokenizer/hub-tokenizer.ts";
import { present } from "../../../validation/expect.ts";
import { batchTooLong, distinctInOrder, entailmentAt, toWindows } from "../../batch.ts";
import { filled } from "../../encoders/encoder-manifest.ts";
import { encoderFilesFor, loadEncoder, type BatchReader, type Sequence } from "../../encoders/encoder.ts";
import type { TokenLimits } from "../../engine.ts";
import type { Family } from "../manifests.ts";
import type { PairManifest } from "./manifest.ts";

/** Published cross-encoders, which read premise and hypothesis together, a row an option: "The model" in ARCHITECTURE.md of the repository. */
export const pair: Family<PairManifest> = {
  filesFor: encoderFilesFor,
  load: (pack, runtime, placement) => loadEncoder(pack, runtime, placement, (tokenizer) => pairReader(pack.manifest, tokenizer)),
};

/** Tokens of each window that are left to the state, whatever the question. */
const MIN_STATE_TOKENS = 32;

/** Reads each window of the state with each option's hypothesis. @throws {DecideError} `model_invalid` */
function pairReader({ graph, labels, limits, templates }: PairManifest, { tokenize: tokenizeOnce, pair }: HubTokenizer): BatchReader {
  const special = pair.before.length + pair.between.length + pair.after.length;
  const empty = { instructions: "", option: "" };
  checkRoom(limits, special + Math.max(...Object.values(templates).map((template) => tokenizeOnce(filled(template, empty)).length)));
  const room = limits.windowTokens - special;
  const lengthOf = ({ window, hypothesis }: Row): number => special + window.length + hypothesis.length;

  return ({ state }, tokenize, read) =>
    async ({ type, instructions, options }, index, beforeRun) => {
      const hypotheses = options.map(({ text }) => tokenizeOnce(filled(templates[type], { instructions, option: text })));
      const rows = toRows(tokenize(state), hypotheses, capacityBeside(hypotheses, room, index), limits.overlapTokens);
      const scoreOf = new Map<string, number>();
      for (const batch of toBatches(rows, lengthOf, limits.windowTokens, graph.isUnpadded !== true)) {
        await beforeRun();
        const sequences = batch.map((row) => toSequence(row, pair));
        const logits = await read(sequences, labels.length);
        batch.forEach(({ hypothesis }, row) => {
          const key = String(hypothesis);
          // The state entails whatever a part of it entails.
          scoreOf.set(key, Math.max(scoreOf.get(key) ?? -Infinity, entailmentAt(logits, row, labels)));
        });
      }
      return Float32Array.from(hypotheses, (tokens) => present(scoreOf.get(String(tokens)), "score of an option"));
    };
}

/**
 * Checks that the longest texts leave room for the state in a window.
 * @param fixedTokens special tokens, and those of the longest template around texts
 * @throws {DecideError} `model_invalid`
 */
function checkRoom({ windowTokens, instructionsTokens, optionTokens }: TokenLimits, fixedTokens: number): void {
  const left = windowTokens - fixedTokens - instructionsTokens - optionTokens;
  if (left >= MIN_STATE_TOKENS) return;
  const message = `The limits of the manifest leave ${left} tokens of a window to the state; it must have ${MIN_STATE_TOKENS}. Add the model again.`;
  throw new DecideError("model_invalid", message);
}

/**
 * Tokens of the state that a window has beside the longest hypothesis.
 * @param room tokens of a window that are not special
 * @throws {DecideError} `input_too_long` when tokens of a whole hypothesis are so many more than those of its parts that too few are left.
 */
function capacityBeside(hypotheses: readonly Tokens[], room: number, question: number): number {
  const longest = Math.max(...hypotheses.map((tokens) => tokens.length));
  if (longest <= room - MIN_STATE_TOKENS) return room - longest;
  const option = hypotheses.findIndex((tokens) => tokens.length === longest);
  const msg = `has ${longest} tokens with its instructions, more than the model's limit of ${room - MIN_STATE_TOKENS}`;
  throw batchTooLong([{ loc: ["questions", question, "options", option], msg, type: "too_long" }]);
}

type Tokens = readonly number[];

/** A window of the state with a hypothesis: what the model reads in a row. */
export interface Row {
  readonly window: Tokens;
  readonly hypothesis: Tokens;
}

/**
 * Every window with every hypothesis, equal ones once, in ascending order of length. The order depends on the texts alone, so the caller's order has no effect.
 * @param capacity tokens of a window, as many as the longest hypothesis leaves
 */
export function toRows(state: Tokens, hypotheses: readonly Tokens[], capacity: number, overlap: number): Row[] {
  // Long hypotheses leave short windows, which must not be overlap alone.
  const places = toWindows(state.length, capacity, Math.min(overlap, Math.floor(capacity / 2)));
  const windows = distinctInOrder(places.map(({ start, length }) => state.slice(start, start + length)));
  // All windows have one length.
  return distinctInOrder(hypotheses).flatMap((hypothesis) => windows.map((window) => ({ window, hypothesis })));
}

/** The row as the model's tokenizer pairs it. */
export function toSequence({ window, hypothesis }: Row, pair: HubTokenizer["pair"]): Sequence {
  const { before, between, after, premiseType, hypothesisType } = pair;
  const as =
    (type: number): ((id: number) => SpecialToken) =>
    (id) => ({ id, type });
  const tokens = [...before, ...window.map(as(premiseType)), ...between, ...hypothesis.map(as(hypothesisType)), ...after];
  return { ids: tokens.map(({ id }) => id), types: tokens.map(({ type }) => type) };
}

/** Cost of one more run beside its tokens, in tokens. Padding beyond it costs more than a run. */
const RUN_TOKENS = 24;

/**
 * Groups rows, in their order, into batches for one run each. No batch has more tokens, padding included, than the longest row may have, so that a run's
 * memory is that of such a row, whatever the request: attention, whose memory grows with the square of the length, has less.
 * @param rows in ascending order of length
 * @param lengthOf a row's tokens, special ones included, up to `maxTokens`
 * @param isPadded whether rows of unequal length may share a run
 */
export function toBatches<Row>(rows: readonly Row[], lengthOf: (row: Row) => number, maxTokens: number, isPadded: boolean): Row[][] {
  const maxPadding = isPadded ? RUN_TOKENS : 0;
  const batches: Row[][] = [];
  let batch: Row[] = [];
  let padding = 0;
  for (const row of rows) {
    const before = batch.at(-1);
    const length = lengthOf(row);
    // Each row before is padded to the length of this one.
    const added = before === undefined ? 0 : batch.length * (length - lengthOf(before));
    if (before !== undefined && (padding + added > maxPadding || (batch.length + 1) * length > maxTokens)) {
      batches.push(batch);
      [batch, padding] = [[], 0];
    } else padding += added;
    batch.push(row);
  }
  return [...batches, batch];
}
