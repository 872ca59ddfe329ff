// Imported by name: `Tokenizer` would bring every part there is, three quarters of which these packs do not use.
import { BertNormalizer, BertPreTokenizer, ReplaceNormalizer, WordPiece } from "@huggingface/tokenizers";
import { DecideError } from "../../../errors.ts";
import type { ModelPack } from "../../pack/open-pack.ts";
import type { Tokenize } from "../../tokenize.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

type Part<P extends abstract new (config: never) => unknown> = ConstructorParameters<P>[0];
type NormalizerPart = Part<typeof BertNormalizer> | Part<typeof ReplaceNormalizer>;

/** A tokenizer.json of the kind that packs have. */
interface TokenizerJson {
  readonly added_tokens: readonly unknown[];
  readonly normalizer: { readonly type: string; readonly normalizers: readonly NormalizerPart[] };
  readonly pre_tokenizer: { readonly type: string };
  readonly model: Part<typeof WordPiece>;
}

/** The tokenizer of a pack. @throws {DecideError} `model_invalid` when it is of another kind. */
export function readTokenizer({ manifest, read }: Pick<ModelPack<SharedPremiseManifest>, "manifest" | "read">): Tokenize {
  const { file } = manifest.tokenizer;
  const text = new TextDecoder().decode(read(file));
  try {
    return makeTokenize(JSON.parse(text));
  } catch (cause) {
    throw new DecideError(
      "model_invalid",
      `${file} is not a tokenizer that this version of umpire reads: install the pack and umpire together.`,
      { cause },
    );
  }
}

/**
 * A tokenizer from the content of a tokenizer.json.
 * @throws {Error} for any kind other than BERT's word pieces, with replacements before them and without added tokens.
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
    // A lone surrogate has neither a token nor a UTF-8 form: like any encoder, we read it as the replacement character.
    const normal = normalizers.reduce((read, normalizer) => normalizer.normalize(read), text.toWellFormed());
    return model.encode(words.pre_tokenize(normal)).map((token) => idOf(model, token));
  };
}

function idOf({ tokens_to_ids }: WordPiece, token: string): number {
  const id = tokens_to_ids.get(token);
  if (id === undefined) throw new DecideError("internal", "The tokenizer made a token that its vocabulary does not have.");
  return id;
}

function normalizerOf(part: NormalizerPart): BertNormalizer | ReplaceNormalizer {
  if (part.type === "Replace") return new ReplaceNormalizer(part);
  only("BertNormalizer", part.type);
  return new BertNormalizer(part);
}

function only(known: string, type: string): void {
  if (type !== known) throw new Error(`it has a ${type} where only ${known} is read`);
}
