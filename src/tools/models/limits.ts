import type { TokenLimits } from "../../library/engine/engine.ts";
import { AddingFailed } from "./adding-failed.ts";

const STATE_TOKENS = 16_384;
/** Models that take more are trained on texts that are as short, and their time grows with the square of it. */
const MAX_WINDOW_TOKENS = 512;
const OVERLAP_TOKENS = 64;
const INSTRUCTIONS_TOKENS = 128;
const OPTION_TOKENS = 64;
/** What stays of a window for the text, at least. */
const MIN_TEXT_TOKENS = 32;
/** Fewer are not enough for a question. */
const MIN_QUESTION_TOKENS = 24;

/**
 * The limits of a model that reads a question beside each window of the text. What a small model has beside the text is shared between instructions and option
 * as in a large one.
 * @param positions the most tokens that its configuration allows; undefined: any number
 * @param fixedTokens what stands in each row besides: special tokens, and the words of the longest template
 * @throws {AddingFailed} for a model that takes next to nothing
 */
export function limitsFor(positions: readonly (number | undefined)[], fixedTokens: number): TokenLimits {
  const windowTokens = Math.min(MAX_WINDOW_TOKENS, ...positions.filter((limit) => limit !== undefined));
  const forQuestion = Math.min(windowTokens - fixedTokens - MIN_TEXT_TOKENS, INSTRUCTIONS_TOKENS + OPTION_TOKENS);
  if (forQuestion < MIN_QUESTION_TOKENS)
    throw new AddingFailed(
      `The model takes ${windowTokens} tokens at a time, of which ${fixedTokens} are its own and its template's. That leaves too few for a question beside the text.`,
    );
  const optionTokens = Math.floor(forQuestion / 3);
  return {
    stateTokens: STATE_TOKENS,
    windowTokens,
    overlapTokens: Math.min(OVERLAP_TOKENS, Math.floor(windowTokens / 8)),
    instructionsTokens: forQuestion - optionTokens,
    optionTokens,
  };
}
