import type { Location } from "../../errors.ts";
import { isPlain } from "./nearest.ts";

/**
 * The place of an issue of a request, as a message names it: `route: criteria.billing`. Ids and keys that are not plain may be a person's words, and are
 * counted: `question 2 of 3`. For places inside the state there is `placeInState`.
 */
export function placeIn(request: unknown, [, part, id, field, key, ...inner]: Location): string {
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
