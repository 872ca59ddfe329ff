import { expect, it } from "vitest";
import { difference, golden } from "../support/golden.ts";
import type { GoldenCase } from "../support/golden.ts";
import { asked, openIn } from "./support/golden-page.ts";

/** Each question about a long state costs as much as reading the state: one is enough. */
function withOneQuestion(goldenCase: GoldenCase): GoldenCase {
  const first = <V>(all: Readonly<Record<string, V>>): Record<string, V> => Object.fromEntries(Object.entries(all).slice(0, 1));
  const { request, answers } = goldenCase;
  return { ...goldenCase, request: { ...request, questions: first(request.questions) }, answers: first(answers) };
}

// A software adapter takes seconds for what a GPU does in milliseconds, so only a short case runs, with a choice and a noul, and one whose state has two windows.
it("the golden vectors, in Chromium on WebGPU, are answered within 1e-4 of every probability", { timeout: 600_000 }, async () => {
  const cases = [
    ...golden.cases.filter(({ name }) => name === "irony"),
    ...golden.cases.filter(({ stateTokens }) => stateTokens === 383).map(withOneQuestion),
  ];
  const page = await openIn({ isolated: true, webgpu: true });
  const { answers, info } = await asked(page, { device: "webgpu", precision: "fp32" }, cases);
  expect(info).toEqual({ device: "webgpu", precision: "fp32", threads: 1 });
  expect(answers).toHaveLength(3);
  expect(answers.filter((answer) => !(difference(answer) <= 1e-4))).toEqual([]);
});
