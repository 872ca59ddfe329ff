import { DecideError } from "../../errors.ts";
import type { Location } from "../../errors.ts";
import { firstOf } from "../validation/invalid.ts";
import { isPlain } from "../validation/nearest.ts";
import type { ParsedQuestion } from "./questions/question-kind.ts";

/**
 * The place of an issue of a request, as a message names it: `route: criteria.billing`. Ids and keys that are not plain may be a person's words, and are
 * counted: `question 2 of 3`. For places inside the state there is `statePath`.
 */
export function issuePath(request: unknown, [, part, id, field, key, ...inner]: Location): string {
  if (part === undefined) return "it";
  if (id === undefined) return shown(part, request, "field");
  const questions = valueAt(request, part);
  const question = shown(id, questions, "question");
  if (field === undefined) return question;
  const values = valueAt(questions, id);
  const name = shown(field, values, "field");
  if (key === undefined) return `${question}: ${name}`;
  if (field !== "criteria") return `${question}: a value in ${name}`;
  const criterion =
    typeof key === "number" ? `${name}[${key}]` : isPlain(key) ? `${name}.${key}` : shown(key, valueAt(values, field), "option");
  return `${question}: ${inner.length > 0 ? "a value in " : ""}${criterion}`;
}

function shown(key: string | number, holder: unknown, what: string): string {
  if (isPlain(key)) return key;
  const keys = Object.keys(Object(holder) as object);
  return `${what} ${keys.indexOf(String(key)) + 1} of ${keys.length}`;
}

function valueAt(holder: unknown, key: string | number): unknown {
  return (holder as Record<string, unknown> | undefined)?.[key];
}

const MAX_KEYS = 8;

/** The place of an issue inside a state: `state.order.lines[0]`. Names of fields are shown as far as they are plain, and few enough to read. */
export function statePath([, state, ...path]: Location): string {
  const end = path.findIndex((key, i) => i >= MAX_KEYS || !isPlain(String(key)));
  const keys = end < 0 ? path : path.slice(0, end);
  return `${end < 0 ? "" : "a value in "}${state}${keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("")}`;
}

/**
 * An engine's error in terms of the request; only `input_too_long` is changed. Engines know questions and options by their index, so that no copy of an id
 * or a key, which may be long, crosses a thread with each issue.
 */
export function inRequest(error: unknown, { questions }: { readonly questions: readonly ParsedQuestion[] }): unknown {
  if (!DecideError.isInstance(error) || error.code !== "input_too_long") return error;
  const { issues = [], issuesLeftOut } = error;
  const placed = issues.map((issue) => ({ ...issue, loc: locationOf(issue.loc, questions) }));
  const said = firstOf(placed, (loc) => pathOf(loc, questions), issuesLeftOut);
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
function pathOf(loc: Location, questions: readonly ParsedQuestion[]): string {
  if (loc.length === 1) return "all of it together";
  const asked = questions.map(
    ({ id, criteria }) => [id, { criteria: Object.fromEntries(criteria.map(({ key }) => [key, null])) }] as const,
  );
  return issuePath({ questions: Object.fromEntries(asked) }, loc);
}
