import type { Criterion } from "../decide/criteria.ts";
import { isPlain } from "../validation/nearest.ts";
import type { AnsweredRow } from "./rows.ts";

/** With fewer examples of an answer, little can be learned of it. */
const FEW = 5;
const MAX_NAMES = 10;

/** What to know about examples, one sentence each. */
export function notesOn(rows: readonly AnsweredRow[], criteria: readonly Criterion[]): string[] {
  const counts = criteria.map((_, k) => rows.filter(({ answer }) => answer === k).length);
  const namesWith = (isMeant: (count: number) => boolean): string[] =>
    criteria.filter((_, k) => isMeant(counts[k] ?? 0)).map(({ key }) => key);
  const byText = new Map<string, Set<number>>();
  for (const { text, answer } of rows) byText.set(text, (byText.get(text) ?? new Set()).add(answer));
  const repeated = rows.length - byText.size;
  const contradicted = [...byText.values()].filter(({ size }) => size > 1).length;
  const none = namesWith((count) => count === 0);
  const few = namesWith((count) => count > 0 && count < FEW);
  const notes: string[] = [];
  if (none.length > 0) notes.push(`No example has ${listed(none)} as its answer: nothing says when it is right.`);
  if (few.length > 0) notes.push(`Fewer than ${FEW} examples have ${listed(few)} as their answer: more of them would help most.`);
  if (repeated > 0) notes.push(`${repeated} of ${rows.length} examples repeat the text of another one; they add little.`);
  if (contradicted > 0)
    notes.push(
      `${contradicted} ${contradicted === 1 ? "text has" : "texts have"} different answers in different examples; all of them were learned from.`,
    );
  return notes;
}

/** Keys, as far as they are plain names. */
function listed(keys: readonly string[]): string {
  const shown = keys.slice(0, MAX_NAMES).map((key) => (isPlain(key) ? key : "an option with a long name"));
  const more = keys.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
