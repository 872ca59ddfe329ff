import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../src/tools/eval/outcome.ts";

describe("the answer given", () => {
  it("is yes from a probability of 0.5, and has its own probability", () => {
    const said = [0.3, 0.5, 0.8].map((noul) => outcomeOf({ type: "noul", noul }, "no"));
    expect(said.map(({ said, probability }) => [said, probability])).toEqual([
      ["no", 0.7],
      ["yes", 0.5],
      ["yes", 0.8],
    ]);
    expect(said[0]).toMatchObject({ type: "noul", options: ["yes", "no"], truth: "no" });
  });

  it("is the most likely option, or the first in a tie", () => {
    const probabilities = { a: 0.2, b: 0.4, c: 0.4 };
    expect(outcomeOf({ type: "choice", choice: "b", confidence: 0.1, probabilities }, "c")).toEqual({
      type: "choice",
      options: ["a", "b", "c"],
      truth: "c",
      said: "b",
      isRight: false,
      probability: 0.4,
    });
  });

  it("is the most likely level of a score, not the expected one", () => {
    const probabilities = { "0": 0.45, "1": 0.15, "2": 0.4 };
    const legend = { "0": "a", "1": "b", "2": "c" };
    expect(outcomeOf({ type: "score", score: 0.95, legend, probabilities, confidence: 0 }, "0").said).toBe("0");
  });

  it("keeps how often the answer says that such answers are right", () => {
    expect(outcomeOf({ type: "noul", noul: 0.8, x_accuracy: 0.7 }, "no").statedAccuracy).toBe(0.7);
    expect(outcomeOf({ type: "noul", noul: 0.8 }, "no")).not.toHaveProperty("statedAccuracy");
  });
});
