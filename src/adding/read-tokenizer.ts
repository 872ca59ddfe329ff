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

/** More than any text has stands for "no limit". */
const NO_LIMIT = 1e6;

/**
 * The model's tokenizer.
 * @returns its tokenizer.json, and the most tokens of a text that its configuration states
 * @throws {AddingFailed} if there is none
 */
export async function readTokenizer(
  source: ModelSource,
  signal: AbortSignal | undefined,
): Promise<{ readonly tokenizer: unknown; readonly maxTokens: number | undefined }> {
  const tokenizer = await readJson(source, TOKENIZER, signal);
  if (tokenizer === undefined) throw missing(source);
  const { model_max_length: stated } = (await readJson(source, "tokenizer_config.json", signal)) ?? {};
  const isLimit = Number.isInteger(stated) && Number(stated) > 0 && Number(stated) < NO_LIMIT;
  return { tokenizer, maxTokens: isLimit ? Number(stated) : undefined };
}

function missing({ files }: ModelSource): AddingFailed {
  const slow = files.find(({ path }) => SLOW.includes(path));
  if (slow === undefined) return new AddingFailed(`There is no ${TOKENIZER}, so the model's tokenizer cannot be had.`);
  return new AddingFailed(
    `There is only a tokenizer for Python (${slow.path}), no ${TOKENIZER}. Make one: python -c "from transformers import AutoTokenizer; AutoTokenizer.from_pretrained('FOLDER').save_pretrained('FOLDER')"`,
  );
}
