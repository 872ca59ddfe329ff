// The parts that our tokenizers are made of, by name: with `Tokenizer` would come every part there is, three quarters of which no pack of ours uses.
import { BertNormalizer, BertPreTokenizer, ReplaceNormalizer, WordPiece } from "@huggingface/tokenizers";

/** Token ids of a text, without special tokens. */
export type Tokenize = (text: string) => readonly number[];

type Part<P extends abstract new (config: never) => unknown> = ConstructorParameters<P>[0];
type NormalizerPart = Part<typeof BertNormalizer> | Part<typeof ReplaceNormalizer>;

/** A tokenizer.json of the kind that packs have. */
interface TokenizerJson {
  readonly added_tokens: readonly unknown[];
  readonly normalizer: { readonly type: string; readonly normalizers: readonly NormalizerPart[] };
  readonly pre_tokenizer: { readonly type: string };
  readonly model: Part<typeof WordPiece>;
}

/**
 * A tokenizer from the content of a tokenizer.json.
 * @throws {Error} when it is of another kind than those of packs: BERT's word pieces, with replacements before them and without added tokens.
 */
export function makeTokenize(tokenizerJson: unknown): Tokenize {
  const json = tokenizerJson as TokenizerJson;
  only("Sequence", json.normalizer.type);
  only("BertPreTokenizer", json.pre_tokenizer.type);
  only("WordPiece", json.model.type);
  if (json.added_tokens.length > 0) throw new Error("it has added tokens");
  const normalizers = json.normalizer.normalizers.map(normalizerOf);
  const words = new BertPreTokenizer();
  const model = new WordPiece(json.model);
  return (text) => {
    // A lone surrogate has no token and no UTF-8: it is read as the replacement character, here as in any encoder.
    const normal = normalizers.reduce((read, normalizer) => normalizer.normalize(read), text.toWellFormed());
    return model.encode(words.pre_tokenize(normal)).map((token) => model.tokens_to_ids.get(token) ?? NaN);
  };
}

function normalizerOf(part: NormalizerPart): BertNormalizer | ReplaceNormalizer {
  if (part.type === "Replace") return new ReplaceNormalizer(part);
  only("BertNormalizer", part.type);
  return new BertNormalizer(part);
}

function only(known: string, type: string): void {
  if (type !== known) throw new Error(`it has a ${type} where only ${known} is read`);
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
