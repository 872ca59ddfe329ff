import { idOf, listOf, partOf, textOf, unsupported } from "./part.ts";
import type { Part } from "./part.ts";

/** A token that a tokenizer puts around texts, with its token type. */
export interface SpecialToken {
  readonly id: number;
  readonly type: number;
}

/** What stands around a pair of texts. */
export interface PairTemplate {
  readonly before: readonly SpecialToken[];
  readonly between: readonly SpecialToken[];
  readonly after: readonly SpecialToken[];
  /** Token types of the two texts. */
  readonly premiseType: number;
  readonly hypothesisType: number;
}

const MAX_PARTS = 20;

/** How a post-processor joins two texts. @throws {Error} it does not, or in a way that is not supported */
export function pairTemplateOf(value: unknown): PairTemplate {
  if (value === null || value === undefined) throw new Error("it has no post-processor, which says how a pair of texts is joined");
  const part = partOf(value, "its post-processor");
  switch (part["type"]) {
    case "TemplateProcessing":
      return templateOf(part);
    case "BertProcessing":
      return classic(part, 1);
    case "RobertaProcessing":
      return classic(part, 2);
    case "Sequence":
      return inSequence(listOf(part["processors"], "its post-processor's sequence", MAX_PARTS));
    case "ByteLevel":
      throw new Error("its post-processor says nothing about how a pair of texts is joined");
    default:
      throw unsupported("post-processor", part["type"]);
  }
}

/** ByteLevel changes offsets alone, which nobody reads here. */
function inSequence(processors: readonly unknown[]): PairTemplate {
  const others = processors.filter((processor) => partOf(processor, "its post-processor")["type"] !== "ByteLevel");
  const [only, ...more] = others;
  if (more.length > 0) throw new Error("its post-processor is a sequence of more than one template");
  if (partOf(only ?? {}, "its post-processor")["type"] === "Sequence") throw unsupported("post-processor", "Sequence in a Sequence");
  return pairTemplateOf(only);
}

/** BERT's `[CLS] A [SEP] B [SEP]` with two types, RoBERTa's `<s> A </s></s> B </s>` with one. */
function classic(part: Part, separators: 1 | 2): PairTemplate {
  const idIn = (name: string): number => idOf(listOf(part[name], `its post-processor's ${name}`, 2)[1], `its post-processor's ${name}`);
  const hypothesisType = separators === 1 ? 1 : 0;
  const separator = { id: idIn("sep"), type: 0 };
  return {
    before: [{ id: idIn("cls"), type: 0 }],
    between: separators === 1 ? [separator] : [separator, separator],
    after: [{ ...separator, type: hypothesisType }],
    premiseType: 0,
    hypothesisType,
  };
}

function templateOf(part: Part): PairTemplate {
  const tokens = partOf(part["special_tokens"], "its post-processor's special_tokens");
  const groups: [SpecialToken[], SpecialToken[], SpecialToken[]] = [[], [], []];
  const types: number[] = [];
  for (const item of listOf(part["pair"], "its post-processor's pair", MAX_PARTS)) {
    const { Sequence: sequence, SpecialToken: special } = partOf(item, "an item of its post-processor's pair");
    if (special === undefined) {
      const { id, type_id: type } = partOf(sequence, "an item of its post-processor's pair");
      if (id !== (types.length === 0 ? "A" : "B") || types.length === 2)
        throw new Error("its post-processor's pair is not a first text followed by a second one");
      types.push(idOf(type, "a token type of its post-processor"));
    } else groups[types.length as 0 | 1 | 2].push(...tokensOf(partOf(special, "an item of its post-processor's pair"), tokens));
  }
  const [premiseType, hypothesisType] = types;
  if (premiseType === undefined || hypothesisType === undefined) throw new Error("its post-processor has no template for a pair of texts");
  const [before, between, after] = groups;
  return { before, between, after, premiseType, hypothesisType };
}

function tokensOf({ id: name, type_id: type }: Part, tokens: Part): readonly SpecialToken[] {
  const { ids } = partOf(tokens[textOf(name, "a special token's name", 300)], "a special token of its post-processor");
  return listOf(ids, "a special token's ids", MAX_PARTS).map((id) => ({
    id: idOf(id, "a special token's id"),
    type: idOf(type, "a token type of its post-processor"),
  }));
}
