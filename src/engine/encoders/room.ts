import { DecideError } from "../../errors.ts";
import type { TokenLimits } from "../engine.ts";

/** Tokens of each window that are left to the state, whatever the question. */
export const MIN_STATE_TOKENS = 32;

/**
 * Checks that the longest texts leave room for the state in a window.
 * @param fixedTokens special tokens, and those of the longest template around texts
 * @throws {DecideError} `model_invalid`
 */
export function checkRoom({ windowTokens, instructionsTokens, optionTokens }: TokenLimits, fixedTokens: number): void {
  const left = windowTokens - fixedTokens - instructionsTokens - optionTokens;
  if (left >= MIN_STATE_TOKENS) return;
  const message = `The limits of the manifest leave ${left} tokens of a window to the state; it must have ${MIN_STATE_TOKENS}. Add the model again.`;
  throw new DecideError("model_invalid", message);
}
