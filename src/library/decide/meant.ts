import type { Field } from "../validation/field.ts";
import { isNear } from "../validation/nearest.ts";
import { refuseAs } from "../validation/unknown-fields.ts";

/** What people write instead of the contract's names: words, with spaces between them. */
const OTHER_NAMES: { readonly [name: string]: string } = {
  state: "text input content context document message prompt",
  instructions: "question prompt text description",
  criteria: "options labels choices levels categories classes",
  choice: "classification classify category class enum select",
  noul: "boolean bool binary yesno yes_no yes-no yes/no y/n",
  score: "scale rating number likert",
  true: "yes",
  false: "no",
};

/** Of an object with more fields, only the first are compared with those that may have been meant: no person writes so many. */
const MAX_COMPARED = 32;

/** Whether someone who wrote `given` probably meant `name`. */
export function isMeant(given: string, name: string): boolean {
  return isNear(given, name) || (OTHER_NAMES[name]?.split(" ").includes(given.slice(0, 20).toLowerCase()) ?? false);
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
    .filter((given) => (field.isMissing ? isMeant : isNear)(given, name))
    .map((given) => holder.get(given))
    .filter((other) => !other.isMissing);
  for (const other of misnamed) refuseAs(other, name);
  return field.isMissing ? (misnamed[0] ?? field) : field;
}
