import { elementAt } from "../../../validation/expect.ts";
import type { SharedPremiseManifest } from "./manifest.ts";
import { distinctInOrder } from "../../batch.ts";

/** Added to an attention score: -1e4 makes the softmax weight of what is not seen exactly 0. */
const SEEN = 0;
const MASKED = -1e4;

/** Owner of a token, as the graph's input has it. */
const SEGMENT_TYPES = { state: 0, question: 1, option: 2 } as const;
type Role = keyof typeof SEGMENT_TYPES;

interface Segment {
  readonly role: Role;
  readonly start: number;
  /** One behind its last token. */
  readonly end: number;
}

/** Tokens as the graph has them. */
export interface RunTokens {
  /** [tokens] */
  readonly ids: readonly number[];
  /** [tokens]. They begin at 0 in each segment; those of an option follow its question's. */
  readonly positions: readonly number[];
  /** [tokens] */
  readonly types: readonly number[];
  /** The tokens whose logits are wanted, the first one of each option, or of the only segment. */
  readonly firstTokens: readonly number[];
}

/** Segments that are read at once, one after the other. */
export interface Sequence extends RunTokens {
  readonly segments: readonly Segment[];
}

/** Where a sequence of a run begins and ends among its tokens, its first tokens and the elements of its mask. */
type Place = readonly [token: number, tokenEnd: number, first: number, firstEnd: number, element: number, elementEnd: number];

/** Sequences that are read in one run, one behind the other. None sees another. */
interface Sequences extends RunTokens {
  readonly places: readonly Place[];
  /** The masks of all, one behind the other. */
  readonly mask: Float32Array;
}

/** @param pastRows rows of the past, which all of them see */
export function togetherOf(sequences: readonly Sequence[], pastRows: number): Sequences {
  const firstTokens: number[] = [];
  const places: Place[] = [];
  let [token, element] = [0, 0];
  for (const { ids, firstTokens: firsts } of sequences) {
    const first = firstTokens.length;
    for (const at of firsts) firstTokens.push(token + at);
    const [tokenEnd, elementEnd] = [token + ids.length, element + maskSize(ids.length, pastRows)];
    places.push([token, tokenEnd, first, firstTokens.length, element, elementEnd]);
    [token, element] = [tokenEnd, elementEnd];
  }
  const mask = new Float32Array(element);
  places.forEach(([, , , , start], i) => {
    mask.set(maskOf(elementAt(sequences, i, "sequence"), pastRows, false), start);
  });
  return {
    ids: sequences.flatMap(({ ids }) => ids),
    positions: sequences.flatMap(({ positions }) => positions),
    types: sequences.flatMap(({ types }) => types),
    firstTokens,
    places,
    mask,
  };
}

/** How many elements the mask of a sequence of so many tokens has. */
export function maskSize(tokens: number, pastRows: number): number {
  return tokens * (pastRows + tokens);
}

/** How many tokens a segment of these has: two are special. */
export function segmentTokens(tokens: readonly number[]): number {
  return tokens.length + 2;
}

/** How many tokens of a sequence are its window's or its question's, special ones included. */
export function tokensIn({ segments }: Pick<Sequence, "segments">, role: "state" | "question"): number {
  const segment = segments.find((each) => each.role === role);
  return segment === undefined ? 0 : segment.end - segment.start;
}

/**
 * Which tokens see which, as what is added to attention scores: float32 [tokens - first, past rows + tokens]. All see the past, unless it is masked, the
 * window and the question before them, and their own segment.
 * @param first the first token that has a row
 */
export function maskOf(sequence: Sequence, pastRows: number, isPastMasked: boolean, first = 0): Float32Array {
  const width = pastRows + sequence.ids.length;
  const mask = new Float32Array((sequence.ids.length - first) * width).fill(MASKED);
  const shared = tokensIn(sequence, "state") + tokensIn(sequence, "question");
  for (const { start, end } of sequence.segments) {
    for (let token = Math.max(start, first); token < end; token++) {
      const row = mask.subarray((token - first) * width, (token - first + 1) * width);
      row.fill(SEEN, isPastMasked ? pastRows : 0, pastRows + shared);
      row.fill(SEEN, pastRows + start, pastRows + end);
    }
  }
  return mask;
}

/** Token ids of what is read at once: a window of the state, a question and some of its options, or all of these. */
interface SequenceTexts {
  readonly window?: readonly number[];
  readonly question?: readonly number[];
  readonly options?: readonly (readonly number[])[];
}

/** Puts `[CLS] tokens [SEP]` one after the other. A question without tokens is left out. */
export function sequenceOf(
  { window, question = [], options = [] }: SequenceTexts,
  special: Pick<SharedPremiseManifest["tokenizer"], "clsId" | "sepId">,
): Sequence {
  const texts: { readonly role: Role; readonly tokens: readonly number[] }[] = options.map((tokens) => ({ role: "option", tokens }));
  if (question.length > 0) texts.unshift({ role: "question", tokens: question });
  if (window !== undefined) texts.unshift({ role: "state", tokens: window });
  const segments: Segment[] = [];
  for (const { role, tokens } of texts) {
    const start = segments.at(-1)?.end ?? 0;
    segments.push({ role, start, end: start + segmentTokens(tokens) });
  }
  const each = (valueOf: (segment: Segment, i: number) => number): number[] =>
    segments.flatMap((segment) => Array.from({ length: segment.end - segment.start }, (_, i) => valueOf(segment, i)));
  const asked = tokensIn({ segments }, "question");
  const scored = segments.length === 1 ? segments : segments.filter(({ role }) => role === "option");
  return {
    segments,
    ids: texts.flatMap(({ tokens }) => [special.clsId, ...tokens, special.sepId]),
    positions: each(({ role }, i) => (role === "option" ? asked + i : i)),
    types: each(({ role }) => SEGMENT_TYPES[role]),
    firstTokens: scored.map(({ start }) => start),
  };
}

/** Tokens of a run, at most. More save little time, and its options' attention scores are computed for all of its tokens. */
const MAX_TOKENS = 128;

/** Tokens of a run times tokens that they see, at most: it bounds the attention scores (12 heads of float32) to about 50 MB. */
const MAX_SCORES = 2 ** 20;

/** The same of a network. With relative positions, the bias of each score is as large again. */
export function maxScoresOf({ relativePositions }: Pick<SharedPremiseManifest, "relativePositions">): number {
  return relativePositions === undefined ? MAX_SCORES : MAX_SCORES / 2;
}

/** Tokens of questions that share a run, at most. More take longer (bench/LOG.md), and a call waits that long for its turn. */
const MAX_TOKENS_TOGETHER = 192;

/**
 * Groups the options into batches, one a run. Each text occurs once. The order is by length, then token ids, so the caller's order has no effect. Each run
 * reads the question, too, so the question takes at most half of it. An option that is too long for that has a run of its own.
 * @param options token ids of each option
 * @param question token ids of the question; none if it has no instructions
 * @param stateTokens tokens of the state's cache
 * @param maxScores tokens of a run times tokens that they see, at most
 */
export function toBatches(
  options: readonly (readonly number[])[],
  question: readonly number[],
  stateTokens: number,
  maxScores = MAX_SCORES,
): (readonly number[])[][] {
  const asked = question.length === 0 ? 0 : segmentTokens(question);
  const room = Math.max(asked, Math.min(MAX_TOKENS, Math.floor(maxScores / (stateTokens + MAX_TOKENS))) - asked);
  const batches: (readonly number[])[][] = [];
  let taken = Infinity;
  for (const tokens of distinctInOrder(options)) {
    if (taken + segmentTokens(tokens) > room) {
      batches.push([]);
      taken = 0;
    }
    batches.at(-1)?.push(tokens);
    taken += segmentTokens(tokens);
  }
  return batches;
}

/**
 * Groups sequences, in their order, into runs. What a run has in all is bounded as for one sequence, so only small ones share it.
 * @param stateTokens tokens of the state's cache
 * @param maxScores tokens of a run times tokens that they see, at most
 */
export function toRuns<Asked extends { readonly sequence: Pick<Sequence, "ids"> }>(
  asked: readonly Asked[],
  stateTokens: number,
  maxScores = MAX_SCORES,
): Asked[][] {
  const runs: Asked[][] = [];
  let [tokens, scores] = [Infinity, Infinity];
  for (const one of asked) {
    const { length } = one.sequence.ids;
    if (tokens + length > MAX_TOKENS_TOGETHER || scores + maskSize(length, stateTokens) > maxScores) {
      runs.push([]);
      [tokens, scores] = [0, 0];
    }
    runs.at(-1)?.push(one);
    tokens += length;
    scores += maskSize(length, stateTokens);
  }
  return runs;
}
