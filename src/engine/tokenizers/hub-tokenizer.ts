// A stand-in until src/engine/tokenizers/ of its own branch is here.
import { Tokenizer } from "@huggingface/tokenizers";
import type { Tokenize } from "../tokenize.ts";

/** A tokenizer.json of a hub, as the engine uses it. */
export interface HubTokenizer {
  /** Token ids, without special tokens. Text that spells a special token is text: never gives a special token's id. */
  readonly tokenize: Tokenize;
  /** What stands around a pair. Each entry: token id and its token type. */
  readonly pair: {
    readonly before: readonly SpecialToken[];
    readonly between: readonly SpecialToken[];
    readonly after: readonly SpecialToken[];
    readonly premiseType: number;
    readonly hypothesisType: number;
  };
  readonly padId: number;
  /** Of text that the vocabulary cannot spell; undefined where there is none (byte-level, byte fallback). */
  readonly unknownId: number | undefined;
  /** The id of an added token such as "<<LABEL>>". */
  idOf(token: string): number | undefined;
}
export interface SpecialToken {
  readonly id: number;
  readonly type: number;
}

interface Json {
  readonly [name: string]: Json;
}

/** @throws {Error} naming what is not supported */
export function makeHubTokenizer(tokenizerJson: unknown): HubTokenizer {
  const json = tokenizerJson as Json;
  const tokenizer = new Tokenizer(json, {});
  const idOf = (token: string): number | undefined => tokenizer.token_to_id(token);
  const processor = json["post_processor"] as unknown as {
    type: string;
    processors?: unknown[];
    pair?: { SpecialToken?: { id: string; type_id: number }; Sequence?: { id: string; type_id: number } }[];
    cls?: [string, number];
    sep?: [string, number];
  };
  const template = processor.processors?.find((part) => (part as { type: string }).type === "TemplateProcessing") as
    typeof processor | undefined;
  const pieces = (template ?? processor).pair;
  const parts: { before: SpecialToken[]; between: SpecialToken[]; after: SpecialToken[] } = { before: [], between: [], after: [] };
  const types: number[] = [];
  if (pieces !== undefined) {
    let into = parts.before;
    for (const { SpecialToken: special, Sequence: sequence } of pieces) {
      if (special) into.push({ id: idOf(special.id) ?? NaN, type: special.type_id });
      if (sequence) {
        types.push(sequence.type_id);
        into = sequence.id === "A" ? parts.between : parts.after;
      }
    }
  } else {
    const [cls, sep] = [processor.cls?.[1] ?? NaN, processor.sep?.[1] ?? NaN];
    const second = processor.type === "BertProcessing" ? 1 : 0;
    parts.before.push({ id: cls, type: 0 });
    parts.between.push({ id: sep, type: 0 }, ...(second === 0 ? [{ id: sep, type: 0 }] : []));
    parts.after.push({ id: sep, type: second });
    types.push(0, second);
  }
  const model = json["model"] as unknown as { unk_token?: string; unk_id?: number; byte_fallback?: boolean };
  const padId = ["[PAD]", "<pad>"].map(idOf).find((id) => id !== undefined) ?? 0;
  const unknownId =
    model.byte_fallback === true ? undefined : (model.unk_id ?? (model.unk_token === undefined ? undefined : idOf(model.unk_token)));
  return {
    tokenize: (text) => tokenizer.encode(text, { add_special_tokens: false }).ids,
    pair: { ...parts, premiseType: types[0] ?? 0, hypothesisType: types[1] ?? 0 },
    padId,
    unknownId,
    idOf,
  };
}
