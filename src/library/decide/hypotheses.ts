import type { Batch, OptionText, QuestionText } from "../engine/engine.ts";
import type { Criterion } from "./criteria.ts";
import type { ParsedQuestion, ParsedRequest } from "./request.ts";

/** What the model reads of a request: the state once, and for each question its instructions and one text per option. */
export function toHypotheses(request: Pick<ParsedRequest, "state" | "questions">): Batch {
  return { state: request.state, questions: request.questions.map(toQuestionText) };
}

/** How a criterion of each type of question is read. */
const READ: { readonly [Type in ParsedQuestion["type"]]: (criterion: Criterion) => OptionText } = {
  choice: optionText,
  noul: yesOrNoText,
  score: levelText,
};

function toQuestionText({ type, instructions, criteria }: ParsedQuestion): QuestionText {
  return { type, instructions, options: criteria.map(READ[type]) };
}

function optionText({ key, description }: Criterion): OptionText {
  const answer = key;
  const words = key.replaceAll("_", " ");
  if (description === null || description === "") return { text: words, sent: [key], answer };
  if (saysNothing(key)) return { text: description, sent: [description], answer };
  return { text: `${words}: ${description}`, sent: [key, description], answer };
}

function yesOrNoText({ key, description }: Criterion): OptionText {
  const word = key === "true" ? "yes" : "no";
  if (description === null || description === "") return { text: word, sent: [], answer: null };
  return { text: `${word}: ${description}`, sent: [description], answer: null };
}

function levelText({ key, description }: Criterion): OptionText {
  // Without a description the level's number is read. The caller did not send it, so its tokens are not counted.
  if (description === null || description === "") return { text: key, sent: [], answer: null };
  return { text: description, sent: [description], answer: null };
}

/** Keys such as "A", "L2" or "opt_12" only point at their description; the model learned not to read them. */
export function saysNothing(key: string): boolean {
  // A character has at most two units: no more of a long key need be counted.
  const characters = Array.from(key.slice(0, 20)).length;
  return characters <= 2 || (characters <= 9 && /\p{Nd}/u.test(key));
}
