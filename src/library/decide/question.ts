import { parseRequest } from "./request.ts";
import type { ParsedQuestion } from "./request.ts";
import type { Question } from "./types.ts";
import { DecideError } from "../../errors.ts";
import type { Location } from "../../errors.ts";
import { elementAt } from "../validation/expect.ts";
import { firstOf } from "../validation/invalid.ts";
import { placeIn } from "../validation/place.ts";

/** The place of the question in the request that is made of it, to be checked by the rules of requests. */
const ID = "question";
const PLACE = ["body", "questions", ID];

/**
 * A question by the rules of requests.
 * @throws {DecideError} `invalid_request` with every issue, at its place from `["question"]` on.
 */
export function parseQuestion(value: unknown): ParsedQuestion {
  const request = { state: "", questions: { [ID]: value } };
  try {
    return elementAt(parseRequest(request).questions, 0, "question");
  } catch (error) {
    if (!DecideError.isInstance(error)) throw error;
    const issues = error.issues ?? [];
    const said = firstOf(issues, (loc) => placeIn(request, loc), error.issuesLeftOut);
    throw new DecideError("invalid_request", `The question is not valid: ${said}.`, {
      cause: error.cause,
      issues: issues.map((issue) => ({ ...issue, loc: inQuestion(issue.loc) })),
      issuesLeftOut: error.issuesLeftOut,
    });
  }
}

function inQuestion(loc: Location): Location {
  return [ID, ...loc.slice(PLACE.length)];
}

/** The question as plain JSON, its texts as they are read. It parses to the same again, whatever becomes of the caller's object. */
export function plainQuestion({ type, instructions, criteria }: ParsedQuestion): Question {
  if (type === "score") return { type, instructions, criteria: criteria.map(({ description }) => description ?? "") };
  // A key named `__proto__` is a key like any other.
  const described = Object.fromEntries(criteria.map(({ key, description }) => [key, description]));
  if (type === "choice") return { type, instructions, criteria: described };
  const { true: yes = null, false: no = null } = described;
  return yes === null && no === null ? { type, instructions } : { type, instructions, criteria: { true: yes, false: no } };
}
