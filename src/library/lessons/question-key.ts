import type { ParsedQuestion } from "../decide/request.ts";

/**
 * What tells a question from all others: type, instructions, and criteria. The order of a choice's options does not matter, that of a score's levels is
 * its scale.
 */
export function questionKey({ type, instructions, criteria }: ParsedQuestion): string {
  const texts = criteria.map(({ key, description }) => JSON.stringify([key, description]));
  return JSON.stringify([type, instructions, ...(type === "score" ? texts : texts.toSorted())]);
}
