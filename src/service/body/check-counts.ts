import { DecideError } from "../../errors.ts";
import { Field } from "../../library/validation/field.ts";
import { firstOf } from "../../library/validation/invalid.ts";
import { isPlainObject } from "../../library/validation/shape.ts";
import type { ServiceLimits } from "../handler/limits.ts";

/**
 * Counts before anything of a body is checked: checking costs far more than counting, and each thing that is wrong costs more still.
 * @param body any JSON value
 * @throws {DecideError} `invalid_request` naming each limit that the body exceeds, with its count.
 */
export function checkCounts(body: unknown, limits: Pick<ServiceLimits, "questions" | "criteria">): void {
  const questions = new Field(body, ["body"]).get("questions");
  const asked = isPlainObject(questions.value) ? Object.values(questions.value) : [];
  const criteria = asked.reduce<number>((sum, question) => sum + countCriteria(question), 0);
  checkAtMost(questions, asked.length, limits.questions, "questions");
  checkAtMost(questions, criteria, limits.criteria, "options and levels");
  const { issues } = questions;
  if (issues.length === 0) return;
  const first = firstOf(issues, () => "questions");
  throw new DecideError("invalid_request", `The request is too large for this service: ${first}. Split it into several requests.`, {
    issues,
  });
}

/** A noul is read with both of its criteria, whichever it has. */
function countCriteria(question: unknown): number {
  const { type, criteria } = Object(question) as { readonly type?: unknown; readonly criteria?: unknown };
  const given = typeof criteria === "object" && criteria !== null ? Object.keys(criteria).length : 0;
  return type === "noul" ? Math.max(2, given) : given;
}

function checkAtMost(field: Field, count: number, limit: number, what: string): void {
  if (count > limit) field.refuse(`must hold at most ${limit} ${what} in one request, but holds ${count}`, "too_many");
}
