import type { Field } from "../validation/field.ts";

/** The longest id of a question and the longest key of an option, in UTF-16 units. Answers and issues repeat them. */
export const MAX_NAME_CHARACTERS = 16_384;

/**
 * The fields of an object whose names the caller chooses; of any other value none, and an issue. A name that is too long is an issue, too, at the place of
 * the object: no place holds such a name.
 * @param words what the object is, after "must be"
 */
export function namedFields(holder: Field, words: string): (readonly [string, Field])[] {
  return holder.entries(words).filter(([name], i, { length }) => {
    if (name.length <= MAX_NAME_CHARACTERS) return true;
    const which = `name ${i + 1} of ${length} has ${name.length}`;
    holder.refuse(`must hold names of at most ${MAX_NAME_CHARACTERS} characters, but ${which}`, "too_long");
    return false;
  });
}
