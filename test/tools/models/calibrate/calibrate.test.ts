import { describe, expect, it } from "vitest";
import { calibrate, whyNotFitted, withFits, accuracyCurves, UNCALIBRATED, withFewerOptions } from "../../../../src/tools/models/calibrate/fit.ts";
import type { TypeResult, Scored } from "../../../../src/tools/models/calibrate/fit.ts";
import type { QuestionType } from "../../../../src/library/engine/engine.ts";
import { QUESTION_KINDS } from "../../../../src/library/decide/questions/question-kinds.ts";
import type { Calibration } from "../../../../src/library/engine/engine.ts";
import { randomFrom } from "../../../../src/library/statistics/random.ts";
import { questions } from "./golden-questions.ts";

/** Questions whose right answers are drawn from their scores at these temperatures. */
function drawn(type: QuestionType, count: number, options: number, truth: Calibration, seed = 0): Scored[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, text) => {
    const scores = Float32Array.from({ length: options }, () => 8 * (random() - 0.5));
    let rest = random();
    const answer = QUESTION_KINDS[type].calibrate(scores, truth).findIndex((p) => (rest -= p) < 0);
    return { type, scores, answer: Math.max(0, answer), text };
  });
}

const resultOf = (scored: readonly Scored[], type: QuestionType): TypeResult | undefined =>
  calibrate(scored).find((result) => result.type === type);

/** How far from the truth 400 questions may lead. */
const TOLERANCE = 0.25;

describe("what is fitted", () => {
  const truth: Calibration = {
    choice: [
      { maxOptions: 2, temperature: 0.6 },
      { maxOptions: 255, temperature: 2.5 },
    ],
    noul: { temperature: 1.8, bias: 0.7 },
    score: { temperature: 3 },
  };

  it("are the temperatures that made the answers, by type and number of options, and the bias of yes", () => {
    const choices = [...drawn("choice", 400, 2, truth), ...drawn("choice", 400, 4, truth, 1)];
    const scored = [...choices, ...drawn("noul", 400, 2, truth, 2), ...drawn("score", 400, 5, truth, 3)];
    const { choice, noul, score } = withFits(UNCALIBRATED, calibrate(scored));
    expect(choice.slice(0, 2).map(({ maxOptions }) => maxOptions)).toEqual([2, 5]);
    expect(Math.abs((choice[0]?.temperature ?? 0) - 0.6)).toBeLessThan(TOLERANCE * 0.6);
    expect(Math.abs((choice[1]?.temperature ?? 0) - 2.5)).toBeLessThan(TOLERANCE * 2.5);
    expect(Math.abs(noul.temperature - 1.8)).toBeLessThan(TOLERANCE * 1.8);
    expect(Math.abs(noul.bias - 0.7)).toBeLessThan(TOLERANCE * 0.7);
    expect(Math.abs(score.temperature - 3)).toBeLessThan(TOLERANCE * 3);
  });

  it("is one temperature of all choices for a bucket of fewer than 100", () => {
    const of = (count: number): Scored[] => [...drawn("choice", 400, 4, truth), ...drawn("choice", count, 2, truth, 1)];
    const temperatures = (count: number): (number | undefined)[] => {
      const { choice } = withFits(UNCALIBRATED, calibrate(of(count)));
      return [2, 255].map((most) => choice.find(({ maxOptions }) => maxOptions === most)?.temperature);
    };
    const [few, all] = temperatures(99);
    expect(few).toBe(all);
    const [enough, others] = temperatures(100);
    expect(enough).not.toBe(others);
  });

  it("is nothing for a type with too few questions or texts, or with one answer: that type stays as it was", () => {
    const byRate = [{ maxErrorRate: 0.1, probability: 0.9 }];
    const ofScore = { score: [{ maxOptions: 10, byRate }] };
    const before: Calibration = {
      ...truth,
      accuracy: { score: [{ maxOptions: 10, slope: 2, bias: 1 }] },
      thresholds: { ...ofScore, noul: { yes: byRate } },
    };
    const [noul, score] = [drawn("noul", 120, 2, truth), drawn("score", 99, 5, truth)];
    const results = calibrate([...noul, ...score]);
    const after = withFits(before, results);
    expect([after.choice, after.score, after.accuracy?.score]).toEqual([before.choice, before.score, before.accuracy?.score]);
    expect(after.thresholds, "those of another temperature say nothing").toEqual(ofScore);
    expect(after.noul).not.toEqual(before.noul);
    expect(results.map(({ reason }) => reason)).toEqual([
      "it takes 100 questions, and there are 0",
      undefined,
      "it takes 100 questions, and there are 99",
    ]);
    expect(
      whyNotFitted(
        "score",
        drawn("score", 100, 5, truth).map((one) => ({ ...one, text: one.text % 9 })),
      ),
    ).toBe("it takes 10 different texts, and there are 9");
    expect(
      whyNotFitted(
        "noul",
        noul.map((one) => ({ ...one, answer: 0 })),
      ),
    ).toBe("all right answers are the same");
  });

  it("no longer bears the mark of a pack that was never calibrated", () => {
    const before = { ...UNCALIBRATED, uncalibrated: true } as const;
    expect(withFits(before, calibrate(drawn("noul", 120, 2, truth)))).not.toHaveProperty("uncalibrated");
  });
});

describe("figures of held-out questions", () => {
  it("do not know a question's own answer, nor those of other questions about its text", () => {
    // Answers that no score tells: on what they were fitted on, temperatures look better than they are.
    const guesses = questions("noul", 60, 2, 0, randomFrom(3));
    const same = guesses.flatMap((one) => [one, one]).map((one, i) => ({ ...one, text: Math.floor(i / 2) }));
    const apart = same.map((one, i) => ({ ...one, answer: i === 0 || i === 1 ? 1 - one.answer : one.answer }));
    const outOfFold = (scored: readonly Scored[]): Float64Array | undefined => resultOf(scored, "noul")?.outOfFold?.[0];
    expect(outOfFold(apart)).toEqual(outOfFold(same));
    expect(resultOf(apart, "noul")?.fit).not.toEqual(resultOf(same, "noul")?.fit);
  });

  it("are not misled by a file that repeats itself", () => {
    // Every fifth answer is yes: folds of every fifth text would each lack them all, or have them all.
    const yes = (i: number): boolean => i % 5 === 0;
    const scored = questions("noul", 200, 2, 0, randomFrom(4)).map((one, i) => ({ ...one, answer: yes(i) ? 0 : 1 }));
    const { outOfFold = [] } = resultOf(scored, "noul") ?? {};
    const said = outOfFold.filter((_, i) => yes(i)).map((p) => p[0] ?? 0);
    expect(said.reduce((a, b) => a + b, 0) / said.length).toBeGreaterThan(0.1);
  });

  it("are there for buckets whose questions are all about one text", () => {
    const choices = [
      ...drawn("choice", 200, 4, UNCALIBRATED),
      ...drawn("choice", 100, 2, UNCALIBRATED).map((one) => ({ ...one, text: 0 })),
    ];
    const outOfFold = resultOf(choices, "choice")?.outOfFold ?? [];
    expect(outOfFold).toHaveLength(300);
    // By the temperature of all choices, which leaves the surest of them sure.
    expect(Math.max(...outOfFold.slice(200).map((p) => Math.max(...p)))).toBeGreaterThan(0.9);
  });
});

describe("curves", () => {
  it("never fall, even for a model that is right least often where it is surest", () => {
    const misled = drawn("noul", 500, 2, UNCALIBRATED).map((one) => ({ ...one, answer: one.scores.indexOf(Math.min(...one.scores)) }));
    for (const { slope } of accuracyCurves("noul", misled, UNCALIBRATED)) expect(slope).toBeGreaterThan(0);
  });

  it("ask a choice again with fewer of its options, the right one among them, in their order", () => {
    const scores = Float32Array.of(0.5, 3, 1, 2, -1, 0, 4);
    const again = [...withFewerOptions({ type: "choice", scores, answer: 1, text: 0 }, randomFrom(0))];
    const sizes = again.map((one) => one.scores.length);
    expect(sizes[0]).toBe(2);
    expect(sizes.length).toBeGreaterThan(1);
    for (const one of again) {
      expect(one.scores[one.answer]).toBe(3);
      expect([...one.scores]).toEqual([...scores].filter((score) => one.scores.includes(score)));
    }
  });
});
