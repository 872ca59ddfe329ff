import type { ParsedQuestion } from "./request.ts";
import type { Question } from "./types.ts";

/** A question as plain JSON, its texts as they are read. It parses to the same again, whatever becomes of the caller's object. */
export function plainQuestion({ type, instructions, criteria }: ParsedQuestion): Question {
  if (type === "score") return { type, instructions, criteria: criteria.map(({ description }) => description ?? "") };
  // A key named `__proto__` is a key like any other.
  const described = Object.fromEntries(criteria.map(({ key, description }) => [key, description]));
  if (type === "choice") return { type, instructions, criteria: described };
  const { true: yes = null, false: no = null } = described;
  return { type, instructions, criteria: yes === null && no === null ? null : { true: yes, false: no } };
}
