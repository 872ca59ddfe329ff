import { describe, expect, test } from "vitest";
import { showExplanation } from "../../../src/tools/cli/explain-command.ts";
import { plain } from "../../../src/tools/cli/output/screen.ts";
import { widthOf } from "../../../src/tools/cli/output/terminal-text.ts";
import type { Question } from "../../../src/library/decide/types.ts";
import type { Explanation } from "../../../src/library/explain/explain.ts";

const QUESTION: Question = { type: "noul", instructions: "Is it broken?" };

/** Of passages and their changes. */
function explanationOf(parts: readonly [string, number][]): Explanation {
  let start = 0;
  const passages = parts.map(([text, change]) => ({ start, end: (start += text.length), change })).sort((a, b) => b.change - a.change);
  const text = parts.map(([part]) => part).join("");
  return { answer: { type: "noul", noul: 0.9 }, key: "true", logOdds: 2.2, text, passages, readings: passages.length + 1 };
}

/** The passages with styles written out: <green:billing>. */
const painted = (parts: readonly [string, number][]): string[] =>
  showExplanation(QUESTION, explanationOf(parts), { width: 80, paint: (style, text) => `<${style}:${text}>` })
    .split("\n\n")[1]
    ?.split("\n") ?? [];

describe("an explanation for people", () => {
  test("shows the passages in the order of the text, marked by how much they changed, for and against", () => {
    expect(
      painted([
        ["Hello. ", 0.05],
        ["It is in pieces. ", 2],
        ["It fell. ", 0.7],
        ["It works.", -1.2],
      ]),
    ).toEqual([
      "  +0.05  Hello.",
      "  +2.00  <bold:<underline:<green:It is in pieces.>>>",
      "  +0.70  <underline:<green:It fell.>>",
      "  -1.20  <bold:<underline:<red:It works.>>>",
    ]);
  });

  test("marks nothing where nothing changed the answer", () => {
    expect(
      painted([
        ["Hello. ", 0.02],
        ["It rains.", -0.09],
      ]),
    ).toEqual(["  +0.02  Hello.", "  -0.09  It rains."]);
    expect(painted([])).toEqual([""]);
  });

  test.each([40, 100])("fits into %i cells, with nothing that a terminal would obey", (width) => {
    const shown = showExplanation(
      QUESTION,
      explanationOf([
        ["a\u001b[31m 猫坐了。\n\n  b\t".repeat(30), 12],
        ["end", -12],
      ]),
      { width, paint: plain },
    );
    expect(shown.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(Math.max(...shown.split("\n").map(widthOf))).toBeLessThanOrEqual(width);
    expect(shown).toContain("…");
  });
});
