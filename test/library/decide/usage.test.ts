import { describe, expect, it } from "vitest";
import { toUsage } from "../../../src/library/decide/usage.ts";

describe("usage", () => {
  it("is the tokens that were sent, and those of the likeliest answers", () => {
    const scores = {
      inputTokens: 123,
      questions: [
        { scores: Float32Array.of(0, 0, 0), answerTokens: Uint32Array.of(3, 5, 7) },
        { scores: Float32Array.of(0, 0), answerTokens: Uint32Array.of(1, 1) },
      ],
    };
    const probabilities = [Float64Array.of(0.2, 0.5, 0.3), Float64Array.of(0.1, 0.9)];
    expect(toUsage(scores, probabilities)).toEqual({ input_tokens: 123, output_tokens: 5 + 1 });
  });

  it("of a tie counts the first answer, and of a key without tokens none", () => {
    const of = (...answerTokens: number[]): unknown =>
      toUsage({ inputTokens: 0, questions: [{ scores: Float32Array.of(0, 0), answerTokens: Uint32Array.from(answerTokens) }] }, [
        Float64Array.of(0.5, 0.5),
      ]);
    expect(of(4, 9)).toEqual({ input_tokens: 0, output_tokens: 4 });
    expect(of(0, 9)).toEqual({ input_tokens: 0, output_tokens: 0 });
  });
});
