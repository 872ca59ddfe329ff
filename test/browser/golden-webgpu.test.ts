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

/** A software adapter takes a minute for the two windows of a state, which a GPU reads in milliseconds. So they are asked for: GOLDEN_LONG=1. */
const isLong = process.env["GOLDEN_LONG"] === "1";

// A short case, with a choice and a noul.
it("the golden vectors, in Chromium on WebGPU, are answered within 1e-4 of every probability", { timeout: 600_000 }, async () => {
  const cases = [
    ...golden.cases.filter(({ name }) => name === "irony"),
    ...golden.cases.filter(({ stateTokens }) => isLong && stateTokens === 383).map(withOneQuestion),
  ];
  const page = await openIn({ isolated: true, webgpu: true });
  const { answers, info } = await asked(page, { device: "webgpu", precision: "fp32" }, cases);
  expect(info).toEqual({ device: "webgpu", precision: "fp32", threads: 1 });
  expect(answers).toHaveLength(isLong ? 3 : 2);
  expect(answers.filter((answer) => !(difference(answer) <= 1e-4))).toEqual([]);
});
