import { describe, expect, test } from "vitest";
import type { Answer, ChoiceAnswer } from "../../../src/library/decide/types.ts";
import { likeliestKey, logOddsOf } from "../../../src/library/explain/explain.ts";

const choice = (probabilities: ChoiceAnswer["probabilities"]): Answer => ({ type: "choice", choice: "", confidence: 0, probabilities });
const noul = (p: number): Answer => ({ type: "noul", noul: p });

describe("the part of an answer that is explained", () => {
  test("is the likeliest one, the first on a tie", () => {
    expect(likeliestKey(choice({ a: 0.3, b: 0.4, c: 0.3 }))).toBe("b");
    expect(likeliestKey(choice({ a: 0.5, b: 0.5 }))).toBe("a");
  });

  test("is yes from 0.5 on, else no", () => {
    expect([0.5, 0.9, 0.4999].map((p) => likeliestKey(noul(p)))).toEqual(["true", "true", "false"]);
  });
});

describe("log-odds", () => {
  test("are those of the probability", () => {
    expect(logOddsOf(noul(0.8), "true")).toBeCloseTo(Math.log(4), 12);
    expect(logOddsOf(noul(0.8), "false")).toBeCloseTo(-Math.log(4), 12);
    expect(logOddsOf(choice({ a: 0.2, b: 0.5, c: 0.3 }), "b")).toBeCloseTo(0, 12);
  });

  test("are exact where a probability is so near to 1 that it cannot be told from it", () => {
    expect(logOddsOf(choice({ a: 1, b: 3e-11, c: 1e-11 }), "a")).toBeCloseTo(-Math.log(4e-11), 9);
  });

  test("are finite at certainty", () => {
    expect(logOddsOf(noul(1), "true")).toBeCloseTo(27.63, 2);
    expect(logOddsOf(noul(0), "true")).toBeCloseTo(-27.63, 2);
  });

  test("do not depend on the order of the criteria by a bit", () => {
    const shares = { a: 0.1, b: 0.2, c: 0.3, d: 0.4 };
    const turned = Object.fromEntries(Object.entries(shares).toReversed());
    expect(logOddsOf(choice(turned), "d")).toBe(logOddsOf(choice(shares), "d"));
  });
});
