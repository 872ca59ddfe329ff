import { makeHubTokenizer } from "../../library/tokenizer/hub-tokenizer.ts";
import type { HubTokenizer } from "../../library/tokenizer/hub-tokenizer.ts";
import { AddingFailed } from "./adding-failed.ts";
import { readJson } from "./read-json.ts";
import type { ModelSource } from "./source.ts";

export const TOKENIZER = "tokenizer.json";

/** Vocabularies of tokenizers that only Python reads. */
const SLOW: readonly string[] = [
  "vocab.txt",
  "vocab.json",
  "merges.txt",
  "spm.model",
  "spiece.model",
  "sentencepiece.bpe.model",
  "tokenizer.model",
];

/** Of what a tokenizer's reader says. */
const MAX_CHARACTERS = 300;

/** More than any text has stands for "no limit". */
const NO_LIMIT = 1e6;

export interface ModelTokenizer {
  readonly tokenizer: HubTokenizer;
  /** The most tokens of a text that its configuration states; undefined: none. */
  readonly maxTokens: number | undefined;
}

/** @throws {AddingFailed} if the model has none, or one of a kind that is not read */
export async function readTokenizer(source: ModelSource, signal: AbortSignal | undefined): Promise<ModelTokenizer> {
  const json = await readJson(source, TOKENIZER, signal);
  if (json === undefined) throw missing(source);
  const tokenizer = made(json);
  const { model_max_length: stated } = (await readJson(source, "tokenizer_config.json", signal)) ?? {};
  const isLimit = Number.isInteger(stated) && Number(stated) > 0 && Number(stated) < NO_LIMIT;
  return { tokenizer, maxTokens: isLimit ? Number(stated) : undefined };
}

function made(json: unknown): HubTokenizer {
  try {
    return makeHubTokenizer(json);
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? "") : "it is not valid";
    throw new AddingFailed(`umpire does not read the model's tokenizer: ${why.slice(0, MAX_CHARACTERS).replace(/\.?$/u, ".")}`, { cause });
  }
}

function missing({ files }: ModelSource): AddingFailed {
  const slow = files.find(({ path }) => SLOW.includes(path));
  if (slow === undefined) return new AddingFailed(`There is no ${TOKENIZER}, so the model's tokenizer cannot be had.`);
  return new AddingFailed(
    `There is only a tokenizer for Python (${slow.path}), no ${TOKENIZER}. Make one: python -c "from transformers import AutoTokenizer; AutoTokenizer.from_pretrained('FOLDER').save_pretrained('FOLDER')"`,
  );
}
