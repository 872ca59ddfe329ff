import type { TokenLimits } from "../engine/engine.ts";
import { AddingFailed } from "./adding-failed.ts";

const STATE_TOKENS = 16_384;
/** Models that take more are trained on texts that are as short, and their time grows with the square of it. */
const MAX_WINDOW_TOKENS = 512;
/** A shorter window has no room for a question. */
const MIN_WINDOW_TOKENS = 32;

/**
 * The limits of a model that reads a question beside each window of the text.
 * @param positions the limits that its configuration states; undefined: none
 * @throws {AddingFailed} for a model that takes next to nothing
 */
export function limitsFor(...positions: readonly (number | undefined)[]): TokenLimits {
  const windowTokens = Math.min(MAX_WINDOW_TOKENS, ...positions.filter((limit) => limit !== undefined));
  if (windowTokens < MIN_WINDOW_TOKENS)
    throw new AddingFailed(`The model takes only ${windowTokens} tokens at a time, and umpire needs ${MIN_WINDOW_TOKENS} or more.`);
  const part = (share: number): number => Math.floor(windowTokens * share);
  return { stateTokens: STATE_TOKENS, windowTokens, overlapTokens: part(1 / 8), instructionsTokens: part(1 / 4), optionTokens: part(1 / 8) };
}
