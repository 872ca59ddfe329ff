import { DecideError } from "../../errors.ts";
import type { Location } from "../../errors.ts";
import { firstOf } from "../validation/invalid.ts";
import { placeIn } from "../validation/place.ts";
import type { ParsedQuestion, ParsedRequest } from "./request.ts";

/**
 * An engine's error in terms of the request; only `input_too_long` is changed. Engines know questions and options by their index, so that no copy of an id
 * or a key, which may be long, crosses a thread with each issue.
 */
export function inRequest(error: unknown, { questions }: Pick<ParsedRequest, "questions">): unknown {
  if (!DecideError.isInstance(error) || error.code !== "input_too_long") return error;
  const { issues = [], issuesLeftOut } = error;
  const placed = issues.map((issue) => ({ ...issue, loc: locationOf(issue.loc, questions) }));
  const said = firstOf(placed, (loc) => placeOf(loc, questions), issuesLeftOut);
  const message = `The request is too long: ${said}. Nothing is ever cut, so shorten it.`;
  return new DecideError("input_too_long", message, { issues: placed, issuesLeftOut });
}

/** The location of a path in the batch, such as `["questions", 0, "options", 2]`, or without the last part for all options. */
function locationOf([part, question, field, option]: Location, questions: readonly ParsedQuestion[]): Location {
  const asked = questions[Number(question)];
  const key = asked?.criteria[Number(option)]?.key;
  return ["body", part, asked?.id, field === "options" ? "criteria" : field, key].filter((name) => name !== undefined);
}

/** As for any issue of a request, of which ids and keys are known here. */
function placeOf(loc: Location, questions: readonly ParsedQuestion[]): string {
  if (loc.length === 1) return "all of it together";
  const asked = questions.map(
    ({ id, criteria }) => [id, { criteria: Object.fromEntries(criteria.map(({ key }) => [key, null])) }] as const,
  );
  return placeIn({ questions: Object.fromEntries(asked) }, loc);
}
