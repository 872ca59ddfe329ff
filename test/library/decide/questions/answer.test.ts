import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANSWERING } from "../../../../src/library/decide/questions/question-kinds.ts";
import type { ParsedQuestion } from "../../../../src/library/decide/request.ts";
import type { Answer, ChoiceAnswer, ScoreAnswer } from "../../../../src/library/decide/types.ts";

const question = (type: ParsedQuestion["type"], keys: readonly string[]): ParsedQuestion => ({
  id: "q",
  type,
  instructions: "i",
  criteria: keys.map((key) => ({ key, description: `about ${key}`, given: [`about ${key}`] })),
});
const toAnswer = ({ type, criteria }: ParsedQuestion, probabilities: Float64Array): Answer =>
  ANSWERING[type].answer(criteria, probabilities);
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i));

const distribution = (minLength: number, maxLength: number): fc.Arbitrary<Float64Array> =>
  fc.array(fc.double({ min: 1e-9, max: 1, noNaN: true }), { minLength, maxLength }).map((weights) => {
    const sum = weights.reduce((a, b) => a + b, 0);
    return Float64Array.from(weights, (weight) => weight / sum);
  });

const choiceAnswer = (keys: readonly string[], ...p: number[]): ChoiceAnswer =>
  toAnswer(question("choice", keys), Float64Array.from(p)) as ChoiceAnswer;
const scoreAnswer = (...p: number[]): ScoreAnswer => toAnswer(question("score", numbered(p.length)), Float64Array.from(p)) as ScoreAnswer;

describe("a choice's answer", () => {
  it("is the key of the largest probability, with every probability under its key in the caller's order", () => {
    const answer = choiceAnswer(["b", "a", "c"], 0.2, 0.5, 0.3);
    expect(answer).toEqual({
      type: "choice",
      choice: "a",
      confidence: expect.closeTo((0.5 - 1 / 3) / (2 / 3), 15) as number,
      probabilities: { b: 0.2, a: 0.5, c: 0.3 },
    });
    expect(Object.keys(answer.probabilities)).toEqual(["b", "a", "c"]);
  });

  it("is the first of the largest on a tie", () => {
    expect(choiceAnswer(["x", "y", "z"], 0.2, 0.4, 0.4).choice).toBe("y");
    expect(choiceAnswer(["x", "y"], 0.5, 0.5).choice).toBe("x");
  });

  it("is as confident as the largest probability is above even odds", () => {
    expect(choiceAnswer(["x", "y"], 0.5, 0.5).confidence).toBe(0);
    expect(choiceAnswer(["x", "y"], 1, 0).confidence).toBe(1);
    expect(choiceAnswer(["x", "y"], 0.75, 0.25).confidence).toBeCloseTo(0.5, 15);
    expect(choiceAnswer(["a", "b", "c", "d"], 0.4, 0.2, 0.2, 0.2).confidence).toBeCloseTo(0.2, 15);
  });

  it("follows its formula for any probabilities", () => {
    fc.assert(
      fc.property(distribution(2, 40), (p) => {
        const keys = p.reduce<string[]>((all, _, i) => [...all, `key ${i}`], []);
        const answer = toAnswer(question("choice", keys), p) as ChoiceAnswer;
        const m = Math.max(...p);
        const n = p.length;
        expect(answer.choice).toBe(keys[p.indexOf(m)]);
        expect(answer.confidence).toBeCloseTo((n * m - 1) / (n - 1), 10);
        expect(answer.confidence).toBeGreaterThanOrEqual(0);
        expect(answer.confidence).toBeLessThanOrEqual(1);
        // Not rounded: the very numbers.
        expect(Object.values(answer.probabilities)).toEqual([...p]);
      }),
    );
  });

  it("keeps keys such as __proto__ as keys of its own", () => {
    const answer = choiceAnswer(["__proto__", "constructor", "toString"], 0.5, 0.3, 0.2);
    expect(Object.entries(answer.probabilities)).toEqual([
      ["__proto__", 0.5],
      ["constructor", 0.3],
      ["toString", 0.2],
    ]);
    expect(answer.choice).toBe("__proto__");
    expect(({} as Record<string, unknown>)["0"]).toBeUndefined();
  });
});

describe("a noul's answer", () => {
  it("is the probability of yes, and no confidence", () => {
    expect(toAnswer(question("noul", ["true", "false"]), Float64Array.of(0.123, 0.877))).toEqual({ type: "noul", noul: 0.123 });
  });
});

describe("a score's answer", () => {
  it("is the expected level, the criteria as legend, and a probability a level", () => {
    expect(scoreAnswer(0.1, 0.2, 0.7)).toEqual({
      type: "score",
      score: expect.closeTo(1.6, 14) as number,
      legend: { "0": ["about 0"], "1": ["about 1"], "2": ["about 2"] },
      probabilities: { "0": 0.1, "1": 0.2, "2": 0.7 },
      // D = (1 + 0 + 1) / 3; the mean distance from level 2 is 0.2 + 2 * 0.1.
      confidence: expect.closeTo(1 - 0.4 / (2 / 3), 14) as number,
    });
  });

  it("is sure when one level has it all, and not below 0 when the ends share it", () => {
    expect(scoreAnswer(0, 1, 0, 0).confidence).toBe(1);
    expect(scoreAnswer(0.5, 0, 0, 0, 0.5).confidence).toBe(0);
    expect(scoreAnswer(0.5, 0.5)).toMatchObject({ score: 0.5, confidence: 0 });
  });

  it("follows its formulas for any probabilities", () => {
    fc.assert(
      fc.property(distribution(2, 10), (p) => {
        const answer = toAnswer(question("score", numbered(p.length)), p) as ScoreAnswer;
        let score = 0;
        let distance = 0;
        let evenDistance = 0;
        const likeliestLevel = p.indexOf(Math.max(...p));
        for (let i = 0; i < p.length; i++) {
          score += (p[i] ?? 0) * i;
          distance += (p[i] ?? 0) * Math.abs(i - likeliestLevel);
          evenDistance += Math.abs(i - (p.length - 1) / 2) / p.length;
        }
        expect(answer.score).toBeCloseTo(score, 12);
        expect(answer.score).toBeGreaterThanOrEqual(0);
        expect(answer.score).toBeLessThanOrEqual(p.length - 1 + 1e-12);
        expect(answer.confidence).toBeCloseTo(Math.max(0, 1 - distance / evenDistance), 12);
        expect(Object.values(answer.probabilities)).toEqual([...p]);
        expect(Object.keys(answer.legend)).toEqual(numbered(p.length));
      }),
    );
  });
});
