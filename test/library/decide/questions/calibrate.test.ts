import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Calibration } from "../../../../src/library/engine/engine.ts";
import { ANSWERING } from "../../../../src/library/decide/questions/question-kinds.ts";

const calibration: Calibration = {
  choice: [
    { maxOptions: 2, temperature: 0.5 },
    { maxOptions: 5, temperature: 1.5 },
    { maxOptions: 20, temperature: 4 },
  ],
  noul: { temperature: 2, bias: 0.25 },
  score: { temperature: 3 },
};

/** softmax by its definition, one weight against each other: 1 / sum of exp((s_j - s_i) / T). */
const softmaxByPairs = (scores: readonly number[], temperature: number): number[] =>
  scores.map((own) => 1 / scores.reduce((sum, other) => sum + Math.exp((other - own) / temperature), 0));

const choiceTemperature = (options: number): number => (options <= 2 ? 0.5 : options <= 5 ? 1.5 : 4);

const anyScore = fc.oneof(
  fc.float({ min: -20, max: 20, noNaN: true }),
  fc.float({ min: -10_000, max: 10_000, noNaN: true }),
  fc.constantFrom(-10_000, 10_000, 0, -0),
);
const anyScores = fc.oneof(fc.array(anyScore, { minLength: 2, maxLength: 12 }), fc.array(anyScore, { minLength: 2, maxLength: 255 }));
const anyTemperature = fc.double({ min: 0.05, max: 20, noNaN: true });

describe("a choice's probabilities", () => {
  it("are the softmax of the scores over the temperature for that many options", () => {
    fc.assert(
      fc.property(anyScores, (scores) => {
        const found = ANSWERING.choice.calibrate(Float32Array.from(scores), calibration);
        const expected = softmaxByPairs([...Float32Array.from(scores)], choiceTemperature(scores.length));
        expected.forEach((p, i) => {
          expect(found[i]).toBeCloseTo(p, 12);
        });
      }),
    );
  });

  it.each([
    [2, 0.5],
    [3, 1.5],
    [5, 1.5],
    [6, 4],
    [20, 4],
    // More options than any bucket: the last one.
    [21, 4],
    [255, 4],
  ])("of %i options use the temperature %d", (options, temperature) => {
    const scores = Float32Array.from({ length: options }, (_, i) => (i === 0 ? 1 : 0));
    const [first = 0, second = 0] = ANSWERING.choice.calibrate(scores, calibration);
    expect(Math.log(first / second)).toBeCloseTo(1 / temperature, 10);
  });

  it("need a temperature", () => {
    expect(() => ANSWERING.choice.calibrate(Float32Array.of(1, 2), { ...calibration, choice: [] })).toThrow("no temperature");
  });
});

describe("a score's probabilities", () => {
  it("are the softmax of the levels' scores over their temperature", () => {
    const found = ANSWERING.score.calibrate(Float32Array.of(1, 2, 4), calibration);
    expect([...found]).toEqual(softmaxByPairs([1, 2, 4], 3).map((p) => expect.closeTo(p, 14) as number));
  });
});

describe("a noul's probabilities", () => {
  it("are the sigmoid of the scaled difference plus the bias, and the rest", () => {
    fc.assert(
      fc.property(anyScore, anyScore, anyTemperature, fc.double({ min: -5, max: 5, noNaN: true }), (yes, no, temperature, bias) => {
        const scores = Float32Array.of(yes, no);
        const [pYes = NaN, pNo = NaN] = ANSWERING.noul.calibrate(scores, { ...calibration, noul: { temperature, bias } });
        const x = ((scores[0] ?? 0) - (scores[1] ?? 0)) / temperature + bias;
        expect(pYes).toBeCloseTo((1 + Math.tanh(x / 2)) / 2, 12);
        expect(pYes + pNo).toBe(1);
      }),
    );
  });

  it("rise with yes and fall with no", () => {
    const yes = (...scores: [number, number]): number => ANSWERING.noul.calibrate(Float32Array.of(...scores), calibration)[0] ?? NaN;
    expect(yes(2, 0)).toBeGreaterThan(yes(1, 0));
    expect(yes(0, 2)).toBeLessThan(yes(0, 1));
    expect(yes(0, 0)).toBeCloseTo(1 / (1 + Math.exp(-0.25)), 14);
  });
});

describe("probabilities of any kind", () => {
  const anyCalibration = fc.record({
    choice: anyTemperature.map((temperature) => [{ maxOptions: 255, temperature }]),
    noul: fc.record({ temperature: anyTemperature, bias: fc.double({ min: -5, max: 5, noNaN: true }) }),
    score: fc.record({ temperature: anyTemperature }),
  });

  it("are finite, from 0 to 1, and sum to 1 within 1e-6", () => {
    fc.assert(
      fc.property(fc.constantFrom("choice" as const, "score" as const), anyScores, anyCalibration, (type, scores, any) => {
        const found = ANSWERING[type].calibrate(Float32Array.from(scores), any);
        expect(found).toHaveLength(scores.length);
        expect(found.every((p) => Number.isFinite(p) && p >= 0 && p <= 1)).toBe(true);
        expect(Math.abs(found.reduce((a, b) => a + b, 0) - 1)).toBeLessThan(1e-6);
      }),
    );
  });

  it("follow their options through any reordering, bit for bit", () => {
    const shuffled = anyScores.chain((scores) =>
      fc.tuple(
        fc.constant(scores),
        fc.shuffledSubarray(
          scores.map((_, i) => i),
          { minLength: scores.length },
        ),
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom("choice" as const, "score" as const), shuffled, anyCalibration, (type, [scores, order], any) => {
        const found = ANSWERING[type].calibrate(Float32Array.from(scores), any);
        const reordered = ANSWERING[type].calibrate(
          Float32Array.from(order, (i) => scores[i] ?? NaN),
          any,
        );
        expect([...reordered]).toEqual(order.map((i) => found[i]));
      }),
    );
  });

  it("are equal for equal scores", () => {
    const found = ANSWERING.choice.calibrate(new Float32Array(7).fill(-9999), calibration);
    expect(new Set(found).size).toBe(1);
    expect(found[0]).toBeCloseTo(1 / 7, 15);
  });
});
