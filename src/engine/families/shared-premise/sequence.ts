import type { SharedPremiseManifest } from "./manifest.ts";

/** Added to an attention score: -1e4 makes the softmax weight of what is not seen exactly 0. */
const SEEN = 0;
const MASKED = -1e4;

/** What a token belongs to, as the graph's input has it. */
const SEGMENT_TYPES = { state: 0n, question: 1n, option: 2n } as const;
type Role = keyof typeof SEGMENT_TYPES;

interface Segment {
  readonly role: Role;
  readonly start: number;
  /** One behind its last token. */
  readonly end: number;
}

/** What one run reads: segments, one after the other. */
export interface Sequence {
  readonly segments: readonly Segment[];
  /** int64 [tokens] */
  readonly ids: BigInt64Array;
  /** int64 [tokens]. They begin at 0 in each segment; those of an option follow its question's. */
  readonly positions: BigInt64Array;
  /** int64 [tokens] */
  readonly types: BigInt64Array;
  /** int64: the tokens whose logits are wanted, the first one of each option, or of the only segment. */
  readonly firstTokens: BigInt64Array;
}

type SpecialTokens = Pick<SharedPremiseManifest["tokenizer"], "clsId" | "sepId">;

/** A window of the state. */
export function windowSequence(window: readonly number[], special: SpecialTokens): Sequence {
  return sequenceOf([{ role: "state", tokens: window }], special);
}

/** A question and some of its options, one at least. A question without tokens is left out. */
export function questionSequence(question: readonly number[], options: readonly (readonly number[])[], special: SpecialTokens): Sequence {
  const asked = question.length === 0 ? [] : [{ role: "question" as const, tokens: question }];
  return sequenceOf([...asked, ...options.map((tokens) => ({ role: "option" as const, tokens }))], special);
}

/** How many tokens a segment of these has: two are special. */
export function segmentTokens(tokens: readonly number[]): number {
  return tokens.length + 2;
}

/** How many tokens of a sequence are its question's, special ones included. */
export function questionTokens({ segments }: Pick<Sequence, "segments">): number {
  return segments[0]?.role === "question" ? segments[0].end : 0;
}

/**
 * Which tokens see which, as what is added to attention scores: float32 [tokens, past rows + tokens]. All see the past, unless it is masked. A segment sees
 * itself, and an option its question.
 */
export function maskOf(sequence: Sequence, pastRows: number, isPastMasked: boolean): Float32Array {
  const width = pastRows + sequence.ids.length;
  const mask = new Float32Array(sequence.ids.length * width).fill(MASKED);
  const question = questionTokens(sequence);
  for (const { start, end } of sequence.segments) {
    for (let token = start; token < end; token++) {
      const row = mask.subarray(token * width, (token + 1) * width);
      row.fill(SEEN, isPastMasked ? pastRows : 0, pastRows + question);
      row.fill(SEEN, pastRows + start, pastRows + end);
    }
  }
  return mask;
}

/** Puts `[CLS] tokens [SEP]` one after the other. */
function sequenceOf(texts: readonly { readonly role: Role; readonly tokens: readonly number[] }[], special: SpecialTokens): Sequence {
  const segments: Segment[] = [];
  for (const { role, tokens } of texts) {
    const start = segments.at(-1)?.end ?? 0;
    segments.push({ role, start, end: start + segmentTokens(tokens) });
  }
  const each = (valueOf: (segment: Segment, i: number) => number | bigint): BigInt64Array =>
    BigInt64Array.from(
      segments.flatMap((segment) => Array.from({ length: segment.end - segment.start }, (_, i) => BigInt(valueOf(segment, i)))),
    );
  const asked = questionTokens({ segments });
  const scored = segments.length === 1 ? segments : segments.filter(({ role }) => role === "option");
  return {
    segments,
    ids: BigInt64Array.from(texts.flatMap(({ tokens }) => [special.clsId, ...tokens, special.sepId].map(BigInt))),
    positions: each(({ role }, i) => (role === "option" ? asked + i : i)),
    types: each(({ role }) => SEGMENT_TYPES[role]),
    firstTokens: BigInt64Array.from(scored, ({ start }) => BigInt(start)),
  };
}
