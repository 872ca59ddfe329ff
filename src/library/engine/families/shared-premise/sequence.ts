import { elementAt } from "../../../validation/expect.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

/** Added to an attention score: -1e4 makes the softmax weight of what is not seen exactly 0. */
const SEEN = 0;
const MASKED = -1e4;

/** What a token belongs to, as the graph's input has it. */
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

/** What is read at once: segments, one after the other. */
export interface Sequence extends RunTokens {
  readonly segments: readonly Segment[];
}

/** The segment of these that all options see, and which stands before them. */
type Shared = "state" | "question";

type SpecialTokens = Pick<SharedPremiseManifest["tokenizer"], "clsId" | "sepId">;

/** A window of the state. */
export function windowSequence(window: readonly number[], special: SpecialTokens): Sequence {
  return sequenceOf([{ role: "state", tokens: window }], special);
}

/** A question and some of its options, one at least. A question without tokens is left out. */
export function questionSequence(question: readonly number[], options: readonly (readonly number[])[], special: SpecialTokens): Sequence {
  return sequenceOf(askedTexts(question, options), special);
}

/** A window of the state, and the same question behind it. */
export function windowAndQuestionSequence(
  window: readonly number[],
  question: readonly number[],
  options: readonly (readonly number[])[],
  special: SpecialTokens,
): Sequence {
  return sequenceOf([{ role: "state", tokens: window }, ...askedTexts(question, options)], special);
}

/** Where a sequence of a run begins and ends among its tokens, its first tokens and the elements of its mask. */
type Place = readonly [token: number, tokenEnd: number, first: number, firstEnd: number, element: number, elementEnd: number];

/** Sequences that are read in one run, one behind the other. None sees another. */
export interface Sequences extends RunTokens {
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

/** How many tokens of a sequence are its question's, special ones included. */
export function questionTokens(sequence: Pick<Sequence, "segments">): number {
  return tokensOf(sequence, "question");
}

/** How many tokens of a sequence are a window's, special ones included. */
export function windowTokens(sequence: Pick<Sequence, "segments">): number {
  return tokensOf(sequence, "state");
}

/**
 * Which tokens see which, as what is added to attention scores: float32 [tokens - first, past rows + tokens]. All see the past, unless it is masked, the
 * window and the question before them, and their own segment.
 * @param first the first token that has a row
 */
export function maskOf(sequence: Sequence, pastRows: number, isPastMasked: boolean, first = 0): Float32Array {
  const width = pastRows + sequence.ids.length;
  const mask = new Float32Array((sequence.ids.length - first) * width).fill(MASKED);
  const shared = windowTokens(sequence) + questionTokens(sequence);
  for (const { start, end } of sequence.segments) {
    for (let token = Math.max(start, first); token < end; token++) {
      const row = mask.subarray((token - first) * width, (token - first + 1) * width);
      row.fill(SEEN, isPastMasked ? pastRows : 0, pastRows + shared);
      row.fill(SEEN, pastRows + start, pastRows + end);
    }
  }
  return mask;
}

function tokensOf({ segments }: Pick<Sequence, "segments">, role: Shared): number {
  const segment = segments.find((each) => each.role === role);
  return segment === undefined ? 0 : segment.end - segment.start;
}

interface RoleText {
  readonly role: Role;
  readonly tokens: readonly number[];
}

function askedTexts(question: readonly number[], options: readonly (readonly number[])[]): RoleText[] {
  const asked: RoleText[] = question.length === 0 ? [] : [{ role: "question", tokens: question }];
  return [...asked, ...options.map((tokens): RoleText => ({ role: "option", tokens }))];
}

/** Puts `[CLS] tokens [SEP]` one after the other. */
function sequenceOf(texts: readonly RoleText[], special: SpecialTokens): Sequence {
  const segments: Segment[] = [];
  for (const { role, tokens } of texts) {
    const start = segments.at(-1)?.end ?? 0;
    segments.push({ role, start, end: start + segmentTokens(tokens) });
  }
  const each = (valueOf: (segment: Segment, i: number) => number): number[] =>
    segments.flatMap((segment) => Array.from({ length: segment.end - segment.start }, (_, i) => valueOf(segment, i)));
  const asked = questionTokens({ segments });
  const scored = segments.length === 1 ? segments : segments.filter(({ role }) => role === "option");
  return {
    segments,
    ids: texts.flatMap(({ tokens }) => [special.clsId, ...tokens, special.sepId]),
    positions: each(({ role }, i) => (role === "option" ? asked + i : i)),
    types: each(({ role }) => SEGMENT_TYPES[role]),
    firstTokens: scored.map(({ start }) => start),
  };
}
