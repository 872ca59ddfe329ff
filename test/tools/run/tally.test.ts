import { expect, test } from "vitest";
import type { ChoiceAnswer, NoulAnswer } from "../../../src/public.ts";
import { answeredRow, failedRow, NOTHING, sumOf } from "../../../src/tools/run/tally.ts";

const QUESTIONS = {
  team: { type: "choice", instructions: "Which?", criteria: { a: null, b: null, __proto__: null } },
  late: { type: "noul", instructions: "Late?" },
} as const;
const USAGE = { input_tokens: 10, output_tokens: 2 };

function row(probabilities: { a: number; b: number }, noul: number): ReturnType<typeof answeredRow> {
  const team: ChoiceAnswer = { type: "choice", choice: "a", confidence: 0.5, probabilities };
  const late: NoulAnswer = { type: "noul", noul, x_lesson: "lesson-1" };
  return answeredRow(QUESTIONS, { team, late }, USAGE);
}

test("answers are counted by their option, and parts add up in any grouping", () => {
  const parts = [
    row({ a: 0.7, b: 0.3 }, 0.9),
    failedRow("x", "line 2"),
    row({ a: 0.4, b: 0.6 }, 0.5),
    failedRow("x", "line 4"),
    failedRow("y", "line 5"),
  ];
  const sum = parts.reduce(sumOf, NOTHING);
  expect(sum).toEqual({
    rows: 5,
    failed: 3,
    toPerson: 1,
    inputTokens: 20,
    outputTokens: 4,
    answers: [
      [1, 1],
      [2, 0],
    ],
    taught: 2,
    failures: [
      { code: "x", count: 2, first: "line 2" },
      { code: "y", count: 1, first: "line 5" },
    ],
  });
  expect(sumOf(parts.slice(0, 2).reduce(sumOf, NOTHING), parts.slice(2).reduce(sumOf, NOTHING))).toEqual(sum);
});
