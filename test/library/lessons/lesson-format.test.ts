import { expect, it } from "vitest";
import { parseQuestion } from "../../../src/library/decide/request.ts";
import { answerBy, fromBase64, toBase64 } from "../../../src/library/lessons/lesson-format.ts";

it("float32 values are little-endian, whatever the machine", () => {
  const text = "AACAPwAAAMA=";
  expect(toBase64([1, -2])).toBe(text);
  expect(fromBase64(text, 2)).toEqual(Float32Array.of(1, -2));
});

it("weights count by how far features are from their mean", () => {
  const question = parseQuestion({ type: "choice", instructions: "Which?", criteria: { a: null, b: null } });
  const features = { mean: Float32Array.of(1, 2), weights: Float32Array.of(3, 0, 0, 1) };
  const toProbabilities = answerBy({ scale: 2, biases: [0, 0.5], features }, question.criteria);
  const logOdds = (...x: number[]): number => {
    const [a = NaN, b = NaN] = toProbabilities(question, Float64Array.of(0.8, 0.2), Float32Array.from(x));
    return Math.log(a / b);
  };
  expect(logOdds(1, 2)).toBeCloseTo(2 * Math.log(4) - 0.5, 10);
  expect(logOdds(2, 4)).toBeCloseTo(2 * Math.log(4) - 0.5 + 3 - 2, 10);
});
