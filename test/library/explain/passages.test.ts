import { expect, test } from "vitest";
import { passagesOf } from "../../../src/library/explain/passages.ts";

test("passages are the sentences while there are few enough", () => {
  expect(passagesOf("The cup broke. I want another.", 2)).toEqual([
    { start: 0, end: 15 },
    { start: 15, end: 30 },
  ]);
});

test("more sentences are grouped into passages of about equal length, all of the text", () => {
  const text = "One short one. And here is one that is quite a bit longer than that. Then one more. ".repeat(50);
  const passages = passagesOf(text, 7);
  expect(passages).toHaveLength(7);
  expect(passages.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
  for (const { start, end } of passages) {
    expect(text.slice(start, end)).toMatch(/^[A-Z].*\. $/u);
    expect(Math.abs(end - start - text.length / 7)).toBeLessThan(120);
  }
});

test("one passage is the whole text", () => {
  expect(passagesOf("The cup broke. I want another.", 1)).toEqual([{ start: 0, end: 30 }]);
});
