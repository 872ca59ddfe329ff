import type { Field } from "../validation/field.ts";
import { isNear } from "../validation/nearest.ts";
import { refuseAs } from "../validation/field.ts";

/** Words that people write instead of the names of fields, in lower case. */
const ALIASES: { readonly [name: string]: readonly string[] } = {
  state: ["text", "input", "content", "context", "document", "message", "prompt"],
  instructions: ["question", "prompt", "text", "description"],
  criteria: ["options", "labels", "choices", "levels", "categories", "classes"],
};

/** Of an object with more fields, only the first are compared with those that may have been meant: no person writes so many. */
const MAX_COMPARED = 32;

/** Whether someone who wrote `given` probably meant `name`. @param aliases other words for it, in lower case, of at most 20 characters */
export function isMeant(given: string, name: string, aliases: readonly string[] = ALIASES[name] ?? []): boolean {
  return isNear(given, name) || aliases.includes(given.slice(0, 20).toLowerCase());
}

/** Names of an object's fields that are none of those that are known, for `fieldMeant`. */
export function otherNames({ value }: Field, known: readonly string[]): string[] {
  return Object.keys(value as object)
    .slice(0, MAX_COMPARED)
    .filter((name) => !known.includes(name));
}

/**
 * The field of an object, with an issue for each other that is nearly called so. Where the field itself is missing, those that people write instead of it
 * have one, too, and the first is read instead, so that what is wrong inside it is told.
 */
export function fieldMeant(holder: Field, name: string, others: readonly string[]): Field {
  const field = holder.get(name);
  const misnamed = others
    .filter((given) => (field.isMissing ? isMeant(given, name) : isNear(given, name)))
    .map((given) => holder.get(given))
    .filter((other) => !other.isMissing);
  for (const other of misnamed) refuseAs(other, name);
  return field.isMissing ? (misnamed[0] ?? field) : field;
}
