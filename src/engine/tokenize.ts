/** Token ids of a text, without special tokens. */
export type Tokenize = (text: string) => readonly number[];

/** Remembers the tokens of each text for as long as it lives: one request needs the same texts several times. */
export function remembering(tokenize: Tokenize): Tokenize {
  const known = new Map<string, readonly number[]>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const ids = tokenize(text);
    known.set(text, ids);
    return ids;
  };
}
