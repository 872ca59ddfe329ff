/** A part of a tokenizer.json that splits texts. */
interface PreTokenizer {
  readonly type?: unknown;
  readonly pretokenizers?: readonly PreTokenizer[];
}

/** A tokenizer.json whose bytes begin with a space, so that a label is read as the same word inside a text. Only byte-level ones are changed. */
export function withPrefixSpace(tokenizerJson: unknown): unknown {
  const json = tokenizerJson as { readonly pre_tokenizer?: PreTokenizer | null };
  return { ...json, pre_tokenizer: json.pre_tokenizer && changed(json.pre_tokenizer) };
}

function changed(part: PreTokenizer): PreTokenizer {
  const { type, pretokenizers } = part;
  if (type === "Sequence") return { ...part, ...(pretokenizers && { pretokenizers: pretokenizers.map(changed) }) };
  return type === "ByteLevel" ? { ...part, ...{ add_prefix_space: true } } : part;
}
