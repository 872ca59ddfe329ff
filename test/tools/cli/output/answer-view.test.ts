import { describe, expect, test } from "vitest";
import { showAnswer, showState } from "../../../../src/tools/cli/output/answer-view.ts";
import { plain } from "../../../../src/tools/cli/output/screen.ts";
import { widthOf } from "../../../../src/tools/cli/output/terminal-text.ts";
import type { Answer, ChoiceAnswer, NoulAnswer, Question, ScoreAnswer, Text } from "../../../../src/library/decide/types.ts";

const WIDTHS = [40, 60, 80, 100];

function shown(question: Question, answer: Answer, width = 80): string[] {
  return showAnswer(question, answer, { width, paint: plain })
    .join("\n")
    .split("\n")
    .map((line) => line.trimEnd());
}

/** The output with styles written out: <green:billing>. */
function painted(question: Question, answer: Answer): string {
  return showAnswer(question, answer, { width: 80, paint: (style, text) => `<${style}:${text.trim()}>` }).join("\n");
}

const choiceOf = (probabilities: Record<string, number>, confidence: number): ChoiceAnswer => {
  const [choice] = Object.entries(probabilities).reduce((a, b) => (b[1] > a[1] ? b : a));
  return { type: "choice", choice, confidence, probabilities };
};

describe("a choice", () => {
  const question: Question = {
    type: "choice",
    instructions: "Which team?",
    criteria: { sales: null, billing: "refunds and invoices", other: null },
  };

  test("shows its options, most likely first, with bars, percentages and descriptions, and the verdict", () => {
    expect(shown(question, choiceOf({ sales: 0.25, billing: 0.7, other: 0.05 }, 0.55))).toEqual([
      "Which team?",
      "  billing  ██████████████        70%  refunds and invoices",
      "  sales    █████                 25%",
      "  other    █                      5%",
      "  → billing · fairly sure (0.55)",
    ]);
  });

  test("leaves out descriptions if there is no room for them", () => {
    expect(shown(question, choiceOf({ sales: 0.25, billing: 0.7, other: 0.05 }, 0.55), 50).join("\n")).not.toContain("refunds");
  });

  test("shows the most likely option in another colour", () => {
    expect(painted(question, choiceOf({ sales: 0.1, billing: 0.9, other: 0 }, 0.85))).toMatch(
      /<bold:billing> {2}<green:█+▎?>.*\n.*sales.*<cyan:/u,
    );
  });

  test("says whether to act on it where a rate of errors was asked for, whatever else is known of such answers", () => {
    const answer = { ...choiceOf({ sales: 0.35, billing: 0.6, other: 0.05 }, 0.4), x_accuracy: 0.55 };
    expect(painted(question, { ...answer, x_act: true })).toContain("· not sure (right in 55 of 100), act>");
    expect(painted(question, { ...answer, x_accuracy: 0.95, x_act: false })).toContain(
      "<yellow:· sure (right in 95 of 100), ask a person>",
    );
  });

  test("is for a person if there is a warning, even if it says that it can be acted on", () => {
    const answer = { ...choiceOf({ sales: 0.05, billing: 0.9, other: 0.05 }, 0.85), x_accuracy: 0.95, x_act: true } as const;
    const text = shown(question, { ...answer, x_warnings: ["unread_text"] }).join("\n");
    expect(text).toContain("better ask a person");
    expect(text).not.toContain(", act");
  });

  test("names the lesson that answered", () => {
    const answer = { ...choiceOf({ sales: 0.05, billing: 0.9, other: 0.05 }, 0.85), x_lesson: "lesson-3f9a0c52b1d84e67" };
    expect(shown(question, answer).at(-1)).toBe("  answered by lesson-3f9a0c52b1d84e67");
  });

  test("advises asking a person if such answers are often wrong", () => {
    const answer = { ...choiceOf({ sales: 0.35, billing: 0.4, other: 0.25 }, 0.1), x_accuracy: 0.41 };
    const text = painted(question, answer);
    expect(text).toContain("not sure (right in 41 of 100), better ask a person");
    expect(text).toContain("<bold:billing>  <yellow:");
  });

  test.each([
    [0.9, "sure (right in 90 of 100)"],
    [0.8999, "fairly sure (right in 89 of 100)"],
    [0.75, "fairly sure (right in 75 of 100)"],
    [0.6, "tentative (right in 60 of 100)"],
    [0.5999, "not sure (right in 59 of 100), better ask a person"],
  ])("of a kind that is right in %f is shown as %s, whatever its confidence", (x_accuracy, words) => {
    for (const confidence of [0, 1]) {
      const answer = { ...choiceOf({ sales: 0.2, billing: 0.6, other: 0.2 }, confidence), x_accuracy };
      expect(shown(question, answer).at(-1)).toBe(`  → billing · ${words}`);
    }
  });

  test.each([
    [0.7, "sure (0.70)"],
    [0.699, "fairly sure (0.69)"],
    [0.4, "fairly sure (0.40)"],
    [0.3, "tentative (0.30)"],
    [0.24, "not sure (0.24), better ask a person"],
  ])("of a model that does not say how often it is right, with a confidence of %f, is shown as %s", (confidence, words) => {
    expect(shown(question, choiceOf({ sales: 0.2, billing: 0.6, other: 0.2 }, confidence)).at(-1)).toBe(`  → billing · ${words}`);
  });

  test.each([
    ["unread_text", "Much of the text is of letters or words that the model does not know."],
    ["empty_state", "There is no text to read."],
  ] as const)("about a state with the warning %s is for a person, and says why", (code, words) => {
    const silent = { ...choiceOf({ sales: 0, billing: 1, other: 0 }, 1), x_warnings: [code] };
    const answer = { ...silent, x_accuracy: 0.99 };
    expect(shown(question, answer).slice(-2)).toEqual(["  → billing · not sure, better ask a person", `  ${words}`]);
    expect(painted(question, answer)).toContain(`<yellow:${words}>`);
    expect(shown(question, silent)).toEqual(shown(question, answer));
  });

  test("with 255 options shows ten of them and counts the rest", () => {
    const keys = Array.from({ length: 255 }, (_, i) => `key ${i}`);
    const even = Object.fromEntries(keys.map((key, i) => [key, i === 200 ? 0.5 : 0.5 / 254]));
    const lines = shown(
      { type: "choice", instructions: "Which?", criteria: Object.fromEntries(keys.map((key) => [key, null])) },
      choiceOf(even, 0.5),
    );
    expect(lines).toHaveLength(13);
    expect(lines[1]).toMatch(/^ {2}key 200 +█+ +50%$/u);
    expect(lines[11]).toBe("  … 245 more");
  });
});

describe("yes or no", () => {
  const question: Question = { type: "noul", instructions: "Is the customer angry?" };
  const answer = (noul: number): NoulAnswer => ({ type: "noul", noul });

  test("is shown as one bar from no to yes", () => {
    expect(shown(question, answer(0.25))).toEqual([
      "Is the customer angry?",
      "  yes  ██████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  25%",
      "  → probably no",
    ]);
  });

  test.each([
    [0.97, "→ yes"],
    [0.75, "→ probably yes"],
    [0.65, "→ rather yes"],
    [0.5, "→ could be either, better ask a person"],
    [0.4, "→ could be either, better ask a person"],
    [0.32, "→ rather no"],
    [0.02, "→ no"],
  ])("with a probability of %f is shown as %s", (noul, words) => {
    expect(shown(question, answer(noul)).at(-1)).toBe(`  ${words}`);
  });

  test.each([
    [0.97, 0.96, "→ yes (right in 96 of 100)"],
    [0.2, 0.78, "→ probably no (right in 78 of 100)"],
    [0.35, 0.64, "→ rather no (right in 64 of 100)"],
    [0.55, 0.54, "→ could be either (right in 54 of 100), better ask a person"],
  ])("with a probability of %f, of a kind that is right in %f, is shown as %s", (noul, x_accuracy, words) => {
    expect(shown(question, { ...answer(noul), x_accuracy }).at(-1)).toBe(`  ${words}`);
  });

  test("without instructions shows its criteria as the title", () => {
    const [title] = shown({ type: "noul", criteria: { true: "he shouts", false: { tone: "calm" } } }, answer(0.9));
    expect(title).toBe("yes: he shouts · no: tone: calm");
  });
});

describe("a score", () => {
  const question: Question = { type: "score", instructions: "How angry?", criteria: ["calm", "", ["furious", "shouts"]] };
  const answer: ScoreAnswer = {
    type: "score",
    score: 1.6,
    legend: { "0": "calm", "1": "", "2": ["furious", "shouts"] },
    probabilities: { "0": 0.1, "1": 0.2, "2": 0.7 },
    confidence: 0.71,
  };

  test("shows its levels from low to high, the position on the scale, and the likeliest level", () => {
    expect(shown(question, answer)).toEqual([
      "How angry?",
      "  calm                ████                                      10%",
      "  1                   ████████                                  20%",
      "  - furious - shouts  ████████████████████████████              70%",
      "                      ├───────────────────┼──────────◆───────┤  1.6",
      "  → - furious - shouts, expected level 1.6 of 2 · sure (0.71)",
    ]);
  });
});

describe("with any texts", () => {
  const wild = [
    "\u001b[31mred\u0007",
    "日本語のキー".repeat(9),
    "👍🏽🎉".repeat(30),
    "a\nb\tc",
    "k".repeat(10_000),
    "\u202eevil",
    "𓀀",
    "ไทย",
  ];
  const even = 1 / wild.length;
  const questions: [Question, Answer][] = [
    [
      { type: "choice", instructions: wild, criteria: Object.fromEntries(wild.map((key) => [key, key])) },
      choiceOf(Object.fromEntries(wild.map((key) => [key, even])), 0),
    ],
    [
      { type: "noul", instructions: { [wild[0] ?? ""]: wild[1] ?? "" } },
      { type: "noul", noul: 0.123456789 },
    ],
    [
      { type: "score", instructions: wild[3] ?? "", criteria: ["a", "b"] },
      {
        type: "score",
        score: 3.5,
        legend: Object.fromEntries(wild.map((level, i) => [String(i), level])),
        probabilities: Object.fromEntries(wild.map((_, i) => [String(i), even])),
        confidence: 0,
      },
    ],
  ];

  test.each(WIDTHS)("no line is wider than %i cells", (width) => {
    for (const [question, answer] of questions)
      for (const line of shown(question, answer, width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
  });

  test("no character is left that a terminal would obey", () => {
    for (const [question, answer] of questions) expect(shown(question, answer).join("")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
  });
});

const stateLines = (state: Text, width = 40): string[] => showState(state, { width, paint: plain });

test("a text keeps its lines and is wrapped", () => {
  expect(stateLines("Dear all,\r\n\r\nthe lift in house seven is broken again.\tP.")).toEqual([
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
  expect(stateLines(state, 80)).toEqual([
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
  expect(stateLines({ text: "one\ntwo", none: {}, last: [["x", "y"]] }, 80)).toEqual([
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
  expect(stateLines(linesOf(10))).toHaveLength(10);
  expect(stateLines(linesOf(1011))).toHaveLength(9);
  expect(stateLines(linesOf(1011)).at(-1)).toBe("│ … 1,003 more lines (the model reads all)");
});

test("a state of any depth stays within the width, with its control characters escaped", () => {
  // Nested lists share their first line, so the second line has the full depth.
  const deep = Array.from({ length: 60 }).reduce<Text>((inner) => [inner], { a: 1, b: "日本語".repeat(40) });
  const lines = stateLines(deep);
  expect(lines).toContainEqual(expect.stringMatching(/^│ {20}日本/u));
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(40);
  expect(stateLines(["\u001b[2J"])).toEqual(["│ - \\u001b[2J"]);
});
