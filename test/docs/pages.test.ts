import { expect, test } from "vitest";
import { GUIDES, textOf } from "../support/guides.ts";
import { MOST_WORDS, wordsOf } from "../support/words.ts";

test("every page that a user reads has a limit of words", () => {
  expect(Object.keys(MOST_WORDS).sort()).toEqual([...GUIDES].sort());
});

test.each(Object.entries(MOST_WORDS))("%s has at most %i words", (page, most) => {
  expect(wordsOf(textOf(page))).toBeLessThanOrEqual(most);
});

test.each(GUIDES)("%s explains the word noul where it first uses it", (page) => {
  const first = textOf(page)
    .split(/\n\s*\n/u)
    .find((paragraph) => /\bnoul\b/u.test(paragraph));
  if (first !== undefined) expect(first).toMatch(/yes\W+(?:or\W+)?no/iu);
});
