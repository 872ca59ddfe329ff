import type { ParsedQuestion } from "../decide/request.ts";
import { named } from "./naming.ts";
import type { CheckWarning } from "./warning.ts";
import { countWords } from "./words.ts";

/** Shorter descriptions are read well beside any other. Those of the model's training have 22 words at most. */
const MIN_WORDS = 25;
const TIMES_LONGER = 4;

/** A description that is much longer than the others. */
export function checkDescriptions({ type, criteria }: ParsedQuestion): CheckWarning[] {
  const lengths = criteria
    .filter(({ description }) => description !== null)
    .map(({ key, description }) => ({ key, words: countWords(description ?? "") }))
    .toSorted((a, b) => a.words - b.words);
  const longest = lengths.pop();
  const middle = lengths[lengths.length >> 1];
  if (longest === undefined || middle === undefined) return [];
  if (longest.words < MIN_WORDS || longest.words < TIMES_LONGER * middle.words) return [];
  const which =
    type === "choice" ? `of ${named([longest.key], "option")}` : type === "noul" ? `of "${longest.key}"` : `of level ${longest.key}`;
  return [
    {
      code: "long_description",
      message: `The description ${which} has ${longest.words} words, many more than the others. Say what it means in a phrase of about ${Math.max(middle.words, 5)} words.`,
      criteria: [longest.key],
    },
  ];
}
