import { distinctInOrder } from "../../tokens.ts";
import type { SharedPremiseManifest } from "./manifest.ts";
import { maskSize, segmentTokens } from "./sequence.ts";
import type { Sequence } from "./sequence.ts";

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
