/** In a word of so many characters no part is longer than pieces are. */
const SHORT_WORD = 16;

/**
 * BERT's word pieces: the longest piece first, then the longest of those that go on within a word.
 * Ours, since the library tries every part of a word and takes ten seconds for a text of long ones: `word-piece.test.ts`, "reads long words".
 * @param idOf the id of a piece that text may become
 * @param longest how many characters the longest piece has. Asked once, when a long word comes: to look at a whole vocabulary takes half as long as to parse it.
 * @param prefix what pieces within a word begin with
 * @param maxCharacters longer words, in code points, are unknown
 * @returns ids of a word's pieces; undefined for a word with a part that is unknown
 */
export function wordPiece(
  idOf: (piece: string) => number | undefined,
  longest: () => number,
  prefix: string,
  maxCharacters: number,
): (word: string) => readonly number[] | undefined {
  let longestPiece: number | undefined;
  return (word) => {
    if (word.length > maxCharacters && Array.from(word).length > maxCharacters) return undefined;
    const most = word.length <= SHORT_WORD ? word.length : (longestPiece ??= longest());
    const ids: number[] = [];
    for (let start = 0; start < word.length;) {
      let end = Math.min(word.length, start + most);
      let id: number | undefined;
      for (; start < end; end -= 1) {
        const text = word.slice(start, end);
        id = idOf(start === 0 ? text : prefix + text);
        if (id !== undefined) break;
      }
      if (id === undefined) return undefined;
      ids.push(id);
      start = end;
    }
    return ids;
  };
}
