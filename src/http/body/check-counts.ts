import type { ParsedRequest } from "../../decide/request.ts";
import { DecideError } from "../../errors.ts";
import { Field } from "../../validation/field.ts";
import { firstOf } from "../../validation/invalid.ts";
import type { ServiceLimits } from "../limits.ts";

/** @throws {DecideError} `invalid_request` naming each limit that the request exceeds, with its count. */
export function checkCounts({ questions }: ParsedRequest, limits: Pick<ServiceLimits, "questions" | "criteria">): void {
  const field = new Field(questions, ["body", "questions"]);
  const criteria = questions.reduce((sum, question) => sum + question.criteria.length, 0);
  checkAtMost(field, questions.length, limits.questions, "questions");
  checkAtMost(field, criteria, limits.criteria, "options and levels");
  const { issues } = field;
  if (issues.length === 0) return;
  const first = firstOf(issues, () => "questions");
  throw new DecideError("invalid_request", `The request is too large for this service: ${first}. Split it into several requests.`, {
    issues,
  });
}

function checkAtMost(field: Field, count: number, limit: number, what: string): void {
  if (count > limit) field.refuse(`must hold at most ${limit} ${what} in one request, but holds ${count}`, "too_many");
}
