import type { Calibration, OptionText } from "../../engine/engine.ts";
import { DecideError } from "../../../errors.ts";
import { elementAt } from "../../validation/expect.ts";
import { isPlain, isPlainObject, type Field } from "../../validation/field.ts";
import { argmax, bucketFor, byKey, checkCount, namedFields, readCriterion, readText } from "./question-kind.ts";
import type { Answering, Criterion, QuestionKind } from "./question-kind.ts";
import { softmax } from "../../statistics/softmax.ts";
import type { ChoiceAnswer } from "../types.ts";

export const MAX_OPTIONS = 255;
const MAX_NAMES_SHOWN = 3;

/** Picks one of several options. */
export const CHOICE: QuestionKind = {
  aliases: ["classification", "classify", "category", "class", "enum", "select"],
  parse: ({ instructions, criteria }) => ({ instructions: readText(instructions), criteria: readOptions(criteria) }),
};

export const CHOICE_ANSWERS: Answering<ChoiceAnswer> = {
  read: readOption,
  calibrate: (scores, calibration) => softmax(scores, temperatureFor(scores.length, calibration)),
  answer: (criteria, probabilities) => {
    const n = probabilities.length;
    const best = argmax(probabilities);
    const confidence = Math.max(0, (elementAt(probabilities, best, "probability") - 1 / n) / (1 - 1 / n));
    const { key } = elementAt(criteria, best, "option");
    return {
      type: "choice",
      choice: key,
      confidence,
      probabilities: byKey(criteria, (_, i) => elementAt(probabilities, i, "probability")),
    };
  },
};

function readOptions(options: Field): Criterion[] {
  const { value } = options;
  const names = Array.isArray(value) ? value : [];
  const entries = namedFields(options, `an object that maps options to descriptions, such as ${exampleOf(names)}`);
  if (isPlainObject(value)) checkCount(options, Object.keys(value).length, MAX_OPTIONS, "options", exampleOf([]));
  // Options beyond the greatest number need no issue of their own.
  return entries.slice(0, MAX_OPTIONS).map(([key, description]) => {
    if (key === "") description.refuse("has an empty key", "empty");
    return readCriterion(key, description);
  });
}

/** A choice of the given options, or of any if their names may be a person's words. */
function exampleOf(names: readonly unknown[]): string {
  const first = names.slice(0, MAX_NAMES_SHOWN);
  const isShown = first.length > 1 && first.every(isPlain);
  const more = isShown && names.length > MAX_NAMES_SHOWN ? ", ..." : "";
  return `{ ${(isShown ? first : ["billing", "other"]).map((name) => `"${name}": null`).join(", ")}${more} }`;
}

function readOption({ key, description }: Criterion): OptionText {
  const words = key.replaceAll("_", " ");
  if (description === null || description === "") return { text: words, sent: [key], answer: key };
  if (saysNothing(key)) return { text: description, sent: [description], answer: key };
  return { text: `${words}: ${description}`, sent: [key, description], answer: key };
}

/** Keys such as "A", "L2" or "opt_12" only point at their description; the model learned not to read them. */
export function saysNothing(key: string): boolean {
  // A character has at most two units: no more of a long key need be counted.
  const characters = Array.from(key.slice(0, 20)).length;
  return characters <= 2 || (characters <= 9 && /\p{Nd}/u.test(key));
}

function temperatureFor(options: number, { choice }: Calibration): number {
  const bucket = bucketFor(choice, options);
  if (bucket === undefined) throw new DecideError("internal", "The calibration holds no temperature for a choice.");
  return bucket.temperature;
}
