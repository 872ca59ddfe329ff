import { Tokenizer } from "@huggingface/tokenizers";

/** Token ids of a text, without special tokens. */
export type Tokenize = (text: string) => readonly number[];

/** A tokenizer from the content of a tokenizer.json. */
export function makeTokenize(tokenizerJson: unknown): Tokenize {
  const tokenizer = new Tokenizer(tokenizerJson as object, {});
  // A lone surrogate has no token and no UTF-8: it is read as the replacement character, here as in any encoder.
  return (text) => tokenizer.encode(text.toWellFormed(), { add_special_tokens: false }).ids;
}

/** Remembers the tokens of each text for as long as it lives: one request asks the same texts again and again. */
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
