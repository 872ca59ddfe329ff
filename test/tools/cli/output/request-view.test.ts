import { expect, test } from "vitest";
import { showState } from "../../../../src/tools/cli/output/request-view.ts";
import { plain } from "../../../../src/tools/cli/output/screen.ts";
import { widthOf } from "../../../../src/tools/cli/output/terminal-text.ts";
import type { Text } from "../../../../src/library/decide/types.ts";

const shown = (state: Text, width = 40): string[] => showState(state, { width, paint: plain });

test("a text keeps its lines and is wrapped", () => {
  expect(shown("Dear all,\r\n\r\nthe lift in house seven is broken again.\tP.")).toEqual([
    "│ Dear all,",
    "│",
    "│ the lift in house seven is broken",
    "│ again.  P.",
  ]);
});

test("a structured state is shown as an outline", () => {
  const state = {
    order: { id: 7, paid: true, notes: [] },
    items: ["cup", { sku: "A", price: null }, ["x", "y"]],
    text: "one\ntwo",
    none: {},
  };
  expect(shown(state, 80)).toEqual([
    "│ order:",
    "│   id: 7",
    "│   paid: true",
    "│   notes:",
    "│ items:",
    "│   - cup",
    "│   - sku: A",
    "│     price: null",
    "│ … 6 more lines (the model reads all)",
  ]);
  expect(shown({ text: "one\ntwo", none: {}, last: [["x", "y"]] }, 80)).toEqual([
    "│ text:",
    "│   one",
    "│   two",
    "│ none:",
    "│ last:",
    "│   - - x",
    "│     - y",
  ]);
});

test("a long state is cut with a note; up to ten lines are shown in full", () => {
  const linesOf = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i}`).join("\n");
  expect(shown(linesOf(10))).toHaveLength(10);
  expect(shown(linesOf(1011))).toHaveLength(9);
  expect(shown(linesOf(1011)).at(-1)).toBe("│ … 1,003 more lines (the model reads all)");
});

test("a state of any depth stays within the width, with its control characters escaped", () => {
  // Nested lists share their first line, so the second line has the full depth.
  const deep = Array.from({ length: 60 }).reduce<Text>((inner) => [inner], { a: 1, b: "日本語".repeat(40) });
  const lines = shown(deep);
  expect(lines).toContainEqual(expect.stringMatching(/^│ {20}日本/u));
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(40);
  expect(shown(["\u001b[2J"])).toEqual(["│ - \\u001b[2J"]);
});
