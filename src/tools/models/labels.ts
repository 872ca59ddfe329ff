import { AddingFailed } from "./adding-failed.ts";

/** What an output of a model for natural language inference means. */
export type InferenceLabel = "entailment" | "neutral" | "contradiction" | "not_entailment";

/** How models spell them, without case and signs. */
const SPELLINGS: { readonly [L in InferenceLabel]: readonly string[] } = {
  entailment: ["entailment", "entailments", "entail", "entails", "entailed", "entailing", "isentailed", "e"],
  neutral: ["neutral", "neutrality", "n"],
  contradiction: ["contradiction", "contradictions", "contradict", "contradicts", "contradicted", "contradictory", "contradicting", "c"],
  not_entailment: [
    "notentailment",
    "notentail",
    "notentails",
    "notentailed",
    "nonentailment",
    "nonentailed",
    "noentailment",
    "doesnotentail",
    "isnotentailed",
    "unentailed",
  ],
};

const MEANING = new Map(
  (Object.entries(SPELLINGS) as [InferenceLabel, string[]][]).flatMap(([label, spellings]) => spellings.map((text) => [text, label])),
);

/** `LABEL_0` is what a model has that nobody gave names. */
const UNNAMED = /^label[\s_-]*\d+$/iu;

const MAX_SHOWN = 10;
const PLAIN = /^[\w][\w .,:/&+-]{0,39}$/u;

const HINT = "If you know what they mean, say so in their order: --labels contradiction,neutral,entailment.";

/**
 * What the outputs of a model mean, in order.
 * @param named the names that its configuration gives them
 * @throws {AddingFailed} unless they are entailment, neutral and contradiction, or entailment and its opposite, in any order and spelling
 */
export function toLabels(named: readonly string[]): InferenceLabel[] {
  if (named.length === 0) throw new AddingFailed(`config.json does not name the model's labels. ${HINT}`);
  if (named.length === 1)
    throw new AddingFailed(
      "The model gives one number, as rankers and reward models do. Umpire needs a model for natural language inference, which says whether a text entails another.",
    );
  if (named.every((name) => UNNAMED.test(name)))
    throw new AddingFailed(`The model's ${named.length} labels have no names in config.json, only numbers (${listed(named)}). ${HINT}`);
  const labels = meant(named);
  if (labels === undefined)
    throw new AddingFailed(
      `The model's labels are not those of natural language inference (entailment, neutral and contradiction, or entailment and not_entailment). It has ${named.length}: ${listed(named)}.`,
    );
  return labels;
}

/** Labels that a person gave: `contradiction,neutral,entailment`. @throws {AddingFailed} */
export function labelsFrom(text: string): InferenceLabel[] {
  const labels = meant(text.split(","));
  if (labels === undefined)
    throw new AddingFailed(
      "The labels given must be entailment, neutral and contradiction, or entailment and not_entailment, in the model's order with commas between them.",
    );
  return labels;
}

function meant(named: readonly string[]): InferenceLabel[] | undefined {
  const found = named.map((name) => MEANING.get(name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "")));
  // Of two, what is not entailed is anything else, whatever it is called.
  const labels = found.map((label) => (named.length === 2 && label === "contradiction" ? "not_entailment" : label));
  const isComplete =
    (sameSet(labels, ["entailment", "neutral", "contradiction"]) || sameSet(labels, ["entailment", "not_entailment"])) &&
    labels.every((label) => label !== undefined);
  return isComplete ? labels : undefined;
}

function sameSet(labels: readonly (InferenceLabel | undefined)[], wanted: readonly InferenceLabel[]): boolean {
  return labels.length === wanted.length && wanted.every((label) => labels.includes(label));
}

/** Labels as a message may show them: the first few, and none that is long or odd. */
function listed(named: readonly string[]): string {
  const shown = named
    .slice(0, MAX_SHOWN)
    .map((name) => (PLAIN.test(name) ? name : "(unprintable)"))
    .join(", ");
  return named.length > MAX_SHOWN ? `${shown} and ${named.length - MAX_SHOWN} more` : shown;
}
