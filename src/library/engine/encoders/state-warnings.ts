import type { StateWarning } from "../engine.ts";

/** From this share of unknown tokens on, a text is unread. A word without any known letter often has two tokens: a mark of its beginning, and the unknown one. */
const UNREAD_SHARE = 1 / 3;

/** Whether a large part of a text's tokens stand for what the vocabulary cannot spell. @param unknownId undefined where it can spell everything */
function isMostlyUnknown(ids: readonly number[], unknownId: number | undefined): boolean {
  const unknown = ids.filter((id) => id === unknownId).length;
  return unknown > 0 && unknown >= UNREAD_SHARE * ids.length;
}

/**
 * What is odd about a state.
 * @param ids its tokens: some tokenizers have some for white space
 * @param unknownId undefined where the vocabulary can spell everything
 */
export function stateWarnings(state: string, ids: readonly number[], unknownId: number | undefined): StateWarning[] {
  if (ids.length === 0 || state.trim() === "") return ["empty_state"];
  return isMostlyUnknown(ids, unknownId) ? ["unread_text"] : [];
}
