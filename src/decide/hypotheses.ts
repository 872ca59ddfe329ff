import type { Batch, OptionText, QuestionText } from "../engine/engine.ts";
import type { Criterion, ParsedQuestion, ParsedRequest } from "./request.ts";

/** What the model reads of a request: the state once; for each question its instructions and one text an option. */
export function toHypotheses(request: ParsedRequest): Batch {
  return { state: request.state, questions: request.questions.map(toQuestionText) };
}

function toQuestionText({ id, type, instructions, criteria }: ParsedQuestion): QuestionText {
  const read = { choice: optionText, noul: yesOrNoText, score: levelText }[type];
  return { id, instructions, options: criteria.map(read) };
}

function optionText({ key, description }: Criterion): OptionText {
  const answer = key;
  const words = key.replaceAll("_", " ");
  if (description === null || description === "") return { key, text: words, sent: [key], answer };
  if (saysNothing(key)) return { key, text: description, sent: [description], answer };
  return { key, text: `${words}: ${description}`, sent: [key, description], answer };
}

function yesOrNoText({ key, description }: Criterion): OptionText {
  const word = key === "true" ? "yes" : "no";
  if (description === null || description === "") return { key, text: word, sent: [], answer: null };
  return { key, text: `${word}: ${description}`, sent: [description], answer: null };
}

function levelText({ key, description }: Criterion): OptionText {
  // Without a description the level's number is read, as an option's key is; the caller did not send it.
  if (description === null || description === "") return { key, text: key, sent: [], answer: null };
  return { key, text: description, sent: [description], answer: null };
}

/** Keys such as "A", "L2" or "opt_12" only point at their description; the model learned not to read them. */
function saysNothing(key: string): boolean {
  const characters = Array.from(key).length;
  return characters <= 2 || (characters <= 9 && /\p{Nd}/u.test(key));
}
