/** Token ids of a text, without special tokens. */
export type Tokenize = (text: string) => readonly number[];

/**
 * Remembers the tokens of each text for as long as it lives: one request needs the same texts several times.
 * @param before texts whose tokens are known already
 */
export function remembering(tokenize: Tokenize, before: Iterable<readonly [string, readonly number[]]> = []): Tokenize {
  const known = new Map(before);
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const ids = tokenize(text);
    known.set(text, ids);
    return ids;
  };
}
