import type { DecideResponse } from "umpire";
import type { ValidRequest } from "./random-requests.ts";

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
