import { AddingFailed } from "./adding-failed.ts";
import type { JsonObject } from "./read-json.ts";

/** What a model's config.json says. */
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

/** @throws {AddingFailed} if the model is of another kind */
export function readConfig(config: JsonObject): ModelConfig {
  const { model_type: type, architectures } = config;
  for (const architecture of Array.isArray(architectures) ? architectures : []) {
    const [, what] = OTHER_HEADS.find(([ending]) => ending.test(String(architecture))) ?? [];
    if (what !== undefined)
      throw new AddingFailed(
        `This model ${what}. Umpire needs one for natural language inference, which says whether a text entails another (…ForSequenceClassification).`,
      );
  }
  const modelType = typeof type === "string" ? type : "";
  return { modelType, labels: labelsOf(config), positions: positionsOf(config, modelType) };
}

/** @throws {AddingFailed} if the two tables of names say different things */
function labelsOf({ id2label, label2id, num_labels: count }: JsonObject): string[] {
  const byId = inOrder(entriesOf(id2label).map(([id, label]) => [Number(id), String(label)]));
  const byLabel = inOrder(entriesOf(label2id).map(([label, id]) => [Number(id), label]));
  if (byId.length > 0 && byLabel.length > 0 && byId.join("\n").toLowerCase() !== byLabel.join("\n").toLowerCase())
    throw new AddingFailed(
      "config.json contradicts itself: id2label and label2id name the model's labels in different ways. Find out which is right, and say it: --labels contradiction,neutral,entailment.",
    );
  if (byId.length > 0) return byId;
  if (byLabel.length > 0) return byLabel;
  return Number.isInteger(count) && Number(count) > 0 && Number(count) < 10_000
    ? Array.from({ length: Number(count) }, (_, i) => `LABEL_${i}`)
    : [];
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
