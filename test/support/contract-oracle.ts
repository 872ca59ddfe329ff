import type { DecideResponse } from "umpire";
import type { Question } from "../../src/public.ts";
import type { ValidRequest } from "./random-requests.ts";

/**
 * A second, minimal implementation of the contract's request rules, for JSON values of moderate depth. It only says valid or invalid. The library must
 * accept exactly the same requests.
 */

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === "string" || (typeof value === "object" && value !== null);
const isDescription = (value: unknown): boolean => value === null || isText(value);

export function keepsContract(request: unknown): boolean {
  if (!isObject(request)) return false;
  const { model, state, questions } = request;
  if (model !== undefined && (typeof model !== "string" || model === "")) return false;
  if (!isText(state) || !isObject(questions)) return false;
  const entries = Object.entries(questions);
  return entries.length > 0 && entries.every(([id, question]) => id !== "" && isQuestion(question));
}

/** Whether instructions and criteria are right for a type of question. */
const KEEPS: { readonly [T in Question["type"]]: (instructions: unknown, criteria: unknown) => boolean } = {
  choice: (instructions, criteria) => {
    if (!isText(instructions) || !isObject(criteria)) return false;
    const options = Object.entries(criteria);
    return options.length >= 2 && options.length <= 255 && options.every(([key, description]) => key !== "" && isDescription(description));
  },
  noul: (instructions, criteria) => {
    const asked = instructions !== undefined && instructions !== null;
    if (asked && !isText(instructions)) return false;
    if (criteria === undefined || criteria === null) return asked;
    if (!isObject(criteria)) return false;
    const keys = Object.keys(criteria);
    const known = keys.length > 0 && keys.every((key) => key === "true" || key === "false");
    const given = keys.map((key) => criteria[key]);
    return known && given.every(isDescription) && (asked || given.some((description) => description !== null));
  },
  score: (instructions, criteria) =>
    isText(instructions) && Array.isArray(criteria) && criteria.length >= 2 && criteria.length <= 10 && criteria.every(isText),
};

function isQuestion(question: unknown): boolean {
  if (!isObject(question)) return false;
  const { type, instructions, criteria } = question;
  return typeof type === "string" && Object.hasOwn(KEEPS, type) && KEEPS[type as Question["type"]](instructions, criteria);
}

/** Checks a response against the contract and returns complaints; none if it is right. `request` must be valid. */
export function brokenRules({ questions }: ValidRequest, { model, answers, usage }: DecideResponse): string[] {
  const broken: string[] = [];
  const rule = (holds: boolean, text: string): void => {
    if (!holds) broken.push(text);
  };
  rule(model === "umpire-2", "model is the id that answered");
  rule(same(Object.keys(answers), Object.keys(questions)), "answers have the questions' ids, in their order");
  for (const [name, tokens] of Object.entries(usage)) rule(Number.isInteger(tokens) && tokens >= 0, `${name} is a count`);
  for (const [id, answer] of Object.entries(answers)) {
    const question = questions[id];
    rule(answer.type === question?.type, "an answer has its question's type");
    const { x_accuracy, x_warnings = [] } = answer;
    rule(
      answer.x_warnings !== undefined ? x_accuracy === undefined : x_accuracy !== undefined && isProbability(x_accuracy),
      "an answer says how often answers like it are right, or has a warning",
    );
    rule(answer.x_warnings?.length !== 0, "warnings are absent when there are none");
    rule(
      x_warnings.every((code) => ["unread_text", "empty_state"].includes(code)),
      "warnings have known codes",
    );
    if (answer.type === "noul") {
      const known = Object.keys(answer).filter((name) => !name.startsWith("x_"));
      rule(same(known, ["type", "noul"]), "a noul has a probability and nothing else of the hosted API's");
      rule(isProbability(answer.noul), "a noul is a probability");
      continue;
    }
    const criteria = question?.criteria as object;
    const p = Object.values(answer.probabilities);
    const n = p.length;
    rule(
      same(Object.keys(answer.probabilities), Object.keys(criteria)),
      "there is a probability for each criterion, in the caller's order",
    );
    rule(p.every(isProbability), "probabilities are finite and from 0 to 1");
    rule(Math.abs(p.reduce((a, b) => a + b, 0) - 1) < 1e-6, "probabilities sum to 1");
    rule(isProbability(answer.confidence), "confidence is from 0 to 1");
    const largest = Math.max(...p);
    if (answer.type === "choice") {
      rule(answer.choice === Object.keys(criteria)[p.indexOf(largest)], "the choice is the first of the largest");
      rule(Math.abs(answer.confidence - (n * largest - 1) / (n - 1)) < 1e-9, "confidence follows its formula");
    } else {
      rule(same(Object.values(answer.legend), Object.values(criteria)), "the legend holds the criteria");
      rule(Math.abs(answer.score - p.reduce((sum, value, i) => sum + value * i, 0)) < 1e-9, "the score is the expected level");
    }
  }
  return broken;
}

function isProbability(value: number): boolean {
  return Number.isFinite(value) && value >= 0 && value <= 1;
}

/** Compares values as JSON, which preserves numbers bit for bit. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
