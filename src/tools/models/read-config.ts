import { makeHubTokenizer, type HubTokenizer } from "../../library/tokenizer/hub-tokenizer.ts";
import { textOfCause } from "../../errors.ts";
import { ToolError } from "../tool-error.ts";
import { firstLine, listed, readJson, type JsonObject, type ModelSource } from "./model-source.ts";

export interface ModelConfig {
  /** Such as `bert`; "" if it says none. */
  readonly modelType: string;
  /** Names of the outputs, in order. Empty if it names none. */
  readonly labels: readonly string[];
  /** Most tokens of a text, special ones included. undefined: it sets no limit. */
  readonly positions: number | undefined;
}

/** Heads that do not say whether a text entails another, by the end of an architecture's name, each with what to say of the model. */
const OTHER_HEADS: readonly (readonly [ending: RegExp, what: string])[] = [
  [/ForTokenClassification$/u, "labels single words"],
  [/ForQuestionAnswering$/u, "finds answers in a text"],
  [/ForMaskedLM$|ForPreTraining$/u, "fills in words; it is what others are trained from"],
  [/ForCausalLM$|LMHeadModel$|ForConditionalGeneration$|ForSpeechSeq2Seq$/u, "writes text"],
  [/ForMultipleChoice$/u, "chooses among whole texts"],
  [/ForImageClassification$|^(?:CLIP|SigLIP|ViT)/u, "reads images"],
  [/ForRewardModel$|RewardModel$/u, "gives rewards to texts"],
  [/(?<!GLiClass)Model$/u, "gives features of a text (embeddings); it has no head that classifies"],
];

/** Their tables of positions begin behind the id of padding: the first two places are never used. */
const WITH_OFFSET: readonly string[] = [
  "roberta",
  "xlm-roberta",
  "xlm-roberta-xl",
  "roberta-prelayernorm",
  "camembert",
  "mpnet",
  "longformer",
  "xmod",
  "data2vec-text",
  "ibert",
  "luke",
];
const OFFSET = 2;

export function readConfig(config: JsonObject): ModelConfig {
  const { model_type: type, architectures } = config;
  for (const architecture of Array.isArray(architectures) ? architectures : []) {
    const [, what] = OTHER_HEADS.find(([ending]) => ending.test(String(architecture))) ?? [];
    if (what !== undefined)
      throw new ToolError(
        `This model ${what}. Umpire needs one for natural language inference, which says whether a text entails another (…ForSequenceClassification).`,
      );
  }
  const modelType = typeof type === "string" ? type : "";
  return { modelType, labels: labelsOf(config), positions: positionsOf(config, modelType) };
}

/** @throws {ToolError} if the two tables of names say different things */
function labelsOf({ id2label, label2id, num_labels: count }: JsonObject): string[] {
  const byId = inOrder(entriesOf(id2label).map(([id, label]) => [Number(id), String(label)]));
  const byLabel = inOrder(entriesOf(label2id).map(([label, id]) => [Number(id), label]));
  if (byId.length > 0 && byLabel.length > 0 && byId.join("\n").toLowerCase() !== byLabel.join("\n").toLowerCase())
    throw new ToolError(
      "config.json contradicts itself: id2label and label2id name the model's labels in different ways. Find out which is right, and say it: --labels contradiction,neutral,entailment.",
    );
  if (byId.length > 0) return byId;
  if (byLabel.length > 0) return byLabel;
  return isCount(count) && count < 10_000 ? Array.from({ length: count }, (_, i) => `LABEL_${i}`) : [];
}

function entriesOf(table: unknown): [string, unknown][] {
  return typeof table === "object" && table !== null ? Object.entries(table) : [];
}

/** The labels with the ids 0, 1, 2 ...; none if an id is missing. */
function inOrder(entries: readonly (readonly [id: number, label: string])[]): string[] {
  const sorted = [...entries].sort(([a], [b]) => a - b);
  return sorted.every(([id], i) => id === i) ? sorted.map(([, label]) => label) : [];
}

function positionsOf(config: JsonObject, modelType: string): number | undefined {
  const stated = [config["max_position_embeddings"], config["n_positions"], config["max_sequence_length"]].find(isCount);
  return stated === undefined ? undefined : stated - (WITH_OFFSET.includes(modelType) ? OFFSET : 0);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0;
}

type InferenceLabel = "entailment" | "neutral" | "contradiction" | "not_entailment";

/** Without what stands between the words. */
const SPELLINGS: readonly (readonly [label: InferenceLabel, spelling: RegExp])[] = [
  ["entailment", /^(?:e|(?:is)?entail(?:s|ed|ing|ments?)?)$/u],
  ["neutral", /^(?:n|neutral(?:ity)?)$/u],
  ["contradiction", /^(?:c|contradict(?:s|ed|ing|ory|ions?)?)$/u],
  ["not_entailment", /^(?:not?|non|un|doesnot|isnot)entail(?:s|ed|ment)?$/u],
];

/** `LABEL_0` is what a model has that nobody gave names. */
const UNNAMED = /^label[\s_-]*\d+$/iu;

const HINT = "If you know what they mean, say so in their order: --labels contradiction,neutral,entailment.";

/**
 * Meanings of a model's outputs, in order.
 * @param named the names that its configuration gives them
 * @throws {ToolError} unless they are entailment, neutral and contradiction, or entailment and its opposite, in any order and spelling
 */
export function toLabels(named: readonly string[]): InferenceLabel[] {
  if (named.length === 0) throw new ToolError(`config.json does not name the model's labels. ${HINT}`);
  if (named.length === 1)
    throw new ToolError(
      "The model gives one number, as rankers and reward models do. Umpire needs a model for natural language inference, which says whether a text entails another.",
    );
  if (named.every((name) => UNNAMED.test(name)))
    throw new ToolError(`The model's ${named.length} labels have no names in config.json, only numbers (${listed(named)}). ${HINT}`);
  const labels = meant(named);
  if (labels === undefined)
    throw new ToolError(
      `The model's labels are not those of natural language inference (entailment, neutral and contradiction, or entailment and not_entailment). It has ${named.length}: ${listed(named)}.`,
    );
  return labels;
}

/** Labels that a person gave: `contradiction,neutral,entailment`. @throws {ToolError} */
export function labelsFrom(text: string): InferenceLabel[] {
  const labels = meant(text.split(","));
  if (labels === undefined)
    throw new ToolError(
      "The labels given must be entailment, neutral and contradiction, or entailment and not_entailment, in the model's order with commas between them.",
    );
  return labels;
}

function meant(named: readonly string[]): InferenceLabel[] | undefined {
  const found = named.map((name) => {
    const text = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
    return SPELLINGS.find(([, spelling]) => spelling.test(text))?.[0];
  });
  // Of two, what is not entailed is anything else, whatever it is called.
  const labels = found.map((label) => (named.length === 2 && label === "contradiction" ? "not_entailment" : label));
  const isComplete = COMPLETE.some((set) => set.length === labels.length && set.every((label) => labels.includes(label)));
  return isComplete ? labels.filter((label) => label !== undefined) : undefined;
}

const COMPLETE: readonly (readonly InferenceLabel[])[] = [
  ["entailment", "neutral", "contradiction"],
  ["entailment", "not_entailment"],
];

export const TOKENIZER = "tokenizer.json";

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

export interface ModelTokenizer {
  readonly tokenizer: HubTokenizer;
  /** The most tokens of a text that its configuration states; undefined: none. */
  readonly maxTokens: number | undefined;
}

/** @param marks tokens that the family places itself @throws {ToolError} if the model has none, or one of a kind that is not read */
export async function readTokenizer(source: ModelSource, marks: readonly string[], signal: AbortSignal | undefined): Promise<ModelTokenizer> {
  const json = await readJson(source, TOKENIZER, signal);
  if (json === undefined) throw missing(source);
  let tokenizer: HubTokenizer;
  try {
    tokenizer = makeHubTokenizer(json, marks);
  } catch (cause) {
    throw new ToolError(`umpire does not read the model's tokenizer: ${firstLine(textOfCause(cause)).replace(/\.?$/u, ".")}`, { cause });
  }
  const { model_max_length: stated } = (await readJson(source, "tokenizer_config.json", signal)) ?? {};
  return { tokenizer, maxTokens: isCount(stated) && stated < NO_LIMIT ? stated : undefined };
}

function missing({ files }: ModelSource): ToolError {
  const slow = files.find(({ path }) => SLOW.includes(path));
  if (slow === undefined) return new ToolError(`There is no ${TOKENIZER}, so the model's tokenizer cannot be had.`);
  return new ToolError(
    `There is only a tokenizer for Python (${slow.path}), no ${TOKENIZER}. Make one: python -c "from transformers import AutoTokenizer; AutoTokenizer.from_pretrained('FOLDER').save_pretrained('FOLDER')"`,
  );
}
