import { expect, test } from "vitest";
import { GUIDES, textOf } from "../support/guides.ts";

const MAX_WORDS = 900;

test("the README can be read in a few minutes", () => {
  const words = textOf("README.md")
    .split(/\s+/u)
    .filter((word) => word !== "");
  expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
});

test.each(GUIDES)("%s explains the word noul where it first uses it", (page) => {
  const first = textOf(page)
    .split(/\n\s*\n/u)
    .find((paragraph) => /\bnoul\b/u.test(paragraph));
  if (first !== undefined) expect(first).toMatch(/yes\W+(?:or\W+)?no/iu);
});
