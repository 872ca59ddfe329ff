import type { OptionText } from "../../engine/engine.ts";
import { counted, elementAt } from "../../validation/expect.ts";
import { isPlainObject, refuseAs, type Field } from "../../validation/field.ts";
import {
  isMeant,
  namedFields,
  readCriterion,
  readText,
  type Content,
  type Criterion,
  type Answering,
  type QuestionKind,
} from "./question-kind.ts";
import type { NoulAnswer } from "../types.ts";

const YES_AND_NO = ["true", "false"];
/** Criteria under other names that have an issue of their own. */
const MAX_OTHERS = 255;
const WORDS: { readonly [key: string]: string } = { true: "yes", false: "no" };

/** A yes/no question: "noul" is the API's word for one that is answered with the probability of yes. */
export const NOUL: QuestionKind = {
  aliases: ["boolean", "bool", "binary", "yesno", "yes_no", "yes-no", "yes/no", "y/n"],
  parse: readNoul,
};

export const NOUL_ANSWERS: Answering<NoulAnswer> = {
  read: readYesOrNo,
  /** Sigmoid of the scaled difference of yes and no, shifted by the bias (Platt scaling). */
  calibrate: (scores, { noul: { temperature, bias } }) => {
    counted(scores, 2, "scores of a noul");
    const difference = elementAt(scores, 0, "score") - elementAt(scores, 1, "score");
    const pYes = 1 / (1 + Math.exp(-(difference / temperature + bias)));
    return Float64Array.of(pYes, 1 - pYes);
  },
  answer: (_, probabilities) => ({ type: "noul", noul: elementAt(probabilities, 0, "probability") }),
};

/** It needs instructions, criteria or both. */
function readNoul({ instructions, criteria: given }: { readonly instructions: Field; readonly criteria: Field }): Content {
  const criteria = readYesAndNo(given);
  if (instructions.value !== undefined && instructions.value !== null) return { instructions: readText(instructions), criteria };
  const mayBeEmpty = given.value === undefined || given.value === null || isPlainObject(given.value);
  if (mayBeEmpty && criteria.every((criterion) => criterion.given === null))
    instructions.refuse("is missing: without instructions a noul needs criteria that say when it is yes or no", "missing");
  return { instructions: "", criteria };
}

/** Always both criteria, without a description where the caller gave none. */
function readYesAndNo(criteria: Field): Criterion[] {
  const { value } = criteria;
  const none = YES_AND_NO.map((key) => ({ key, description: null, given: null }));
  if (value === undefined || value === null) return none;
  const entries = namedFields(criteria, 'an object with true, false or both, such as { "true": "asks for money back" }, or null');
  if (!isPlainObject(value)) return none;
  if (Object.keys(value).length === 0) criteria.refuse("must hold true, false or both; leave it out for neither", "too_few");
  for (const [key, field] of entries.slice(0, MAX_OTHERS)) {
    if (!YES_AND_NO.includes(key))
      refuseAs(field, YES_AND_NO.find((name) => isMeant(key, name, [WORDS[name] ?? ""])) ?? YES_AND_NO.join(" or "));
  }
  return YES_AND_NO.map((key) => readCriterion(key, criteria.at(key, value[key] ?? null)));
}

function readYesOrNo({ key, description }: Criterion): OptionText {
  const word = WORDS[key] ?? key;
  if (description === null || description === "") return { text: word, sent: [], answer: null };
  return { text: `${word}: ${description}`, sent: [description], answer: null };
}
