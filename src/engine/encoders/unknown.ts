/** From this share of unknown tokens on, a text is unread. A word without any known letter often has two tokens: a mark of its beginning, and the unknown one. */
const UNREAD_SHARE = 1 / 3;

/** Whether a large part of a text's tokens stand for what the vocabulary cannot spell. @param unknownId undefined where it can spell everything */
export function isMostlyUnknown(ids: readonly number[], unknownId: number | undefined): boolean {
  const unknown = ids.filter((id) => id === unknownId).length;
  return unknown > 0 && unknown >= UNREAD_SHARE * ids.length;
}
