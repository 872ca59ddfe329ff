import { describe, expect, it, test } from "vitest";
import { toExtensionFields } from "../../../src/library/decide/decide.ts";
import type { Calibration } from "../../../src/library/engine/engine.ts";

const calibration: Calibration = {
  choice: [{ maxOptions: 255, temperature: 1 }],
  noul: { temperature: 1, bias: 0 },
  score: { temperature: 1 },
  accuracy: {
    choice: [
      { maxOptions: 2, slope: 1, bias: 0 },
      { maxOptions: 5, slope: 2, bias: 0 },
      { maxOptions: 30, slope: 1, bias: -1 },
    ],
    noul: [{ maxOptions: 2, slope: 1, bias: 0 }],
    score: [{ maxOptions: 10, slope: 1, bias: 1 }],
  },
};

/** The first option has `largest`, the others share the rest. */
const withLargest = (largest: number, options: number): Float64Array =>
  Float64Array.from({ length: options }, (_, i) => (i === 0 ? largest : (1 - largest) / (options - 1)));

test.each([
  ["choice", 2, 0.8, 0.8],
  // Odds of 4 to 1, squared: 16 to 1.
  ["choice", 3, 0.8, 16 / 17],
  ["choice", 5, 0.5, 0.5],
  ["choice", 6, 0.5, 1 / (1 + Math.E)],
  // The last curve is for all larger numbers, too.
  ["choice", 200, 0.5, 1 / (1 + Math.E)],
  ["noul", 2, 0.75, 0.75],
  ["score", 4, 0.5, Math.E / (1 + Math.E)],
] as const)("a %s of %i options with a probability of %f is right as often as its own curve says", (type, options, largest, share) => {
  expect(toExtensionFields(type, withLargest(largest, options), { calibration, warnings: [] }).x_accuracy).toBeCloseTo(share, 12);
});

it("a no is as often right as a yes of the same probability", () => {
  const [yes, no] = [Float64Array.of(0.9, 0.1), Float64Array.of(0.1, 0.9)];
  expect(toExtensionFields("noul", no, { calibration, warnings: [] })).toEqual(
    toExtensionFields("noul", yes, { calibration, warnings: [] }),
  );
});

it("a certain answer is not certain to be right", () => {
  expect(toExtensionFields("choice", Float64Array.of(1, 0), { calibration, warnings: [] }).x_accuracy).toBeCloseTo(0.99, 12);
});

it("without curves nothing is said, and without warnings neither", () => {
  const { choice, noul, score } = calibration;
  const silent = { choice, noul, score };
  expect(toExtensionFields("choice", Float64Array.of(0.9, 0.1), { calibration: silent, warnings: [] })).toEqual({});
});

it("a type without curves states nothing, whatever others have", () => {
  const { accuracy: { choice } = {}, ...temperatures } = calibration;
  const some = { ...temperatures, accuracy: { ...(choice && { choice }) } };
  expect(toExtensionFields("noul", Float64Array.of(0.9, 0.1), { calibration: some, warnings: [] })).toEqual({});
  expect(toExtensionFields("choice", Float64Array.of(0.8, 0.2), { calibration: some, warnings: [] }).x_accuracy).toBeCloseTo(0.8, 12);
});

it("the state's warnings are passed on", () => {
  expect(toExtensionFields("choice", Float64Array.of(0.5, 0.5), { calibration, warnings: ["unread_text"] })).toEqual({
    x_accuracy: 0.5,
    x_warnings: ["unread_text"],
  });
});

describe("whether to act on an answer", () => {
  const points = [
    { probability: 0.9, answers: 100, errors: 0 },
    { probability: 0.6, answers: 200, errors: 60 },
  ];
  const withRisk = { ...calibration, risk: { choice: [{ maxOptions: 5, points }], noul: [], score: [] } };

  it("is said only where an error rate is asked for", () => {
    expect(toExtensionFields("choice", Float64Array.of(0.9, 0.1), { calibration: withRisk, warnings: [] })).not.toHaveProperty("x_act");
  });

  it.each([
    [0.95, true],
    [0.9, true],
    [0.89, false],
  ])("with a probability of %f is %s where held-out answers promise it down to 0.9", (p, act) => {
    const grounds = { calibration: withRisk, warnings: [], maxErrorRate: 0.05 };
    expect(toExtensionFields("choice", Float64Array.of(p, 1 - p), grounds).x_act).toBe(act);
  });

  it.each(["unread_text", "empty_state"] as const)(
    "is no where the state has the warning %s: no held-out answer was about such a text",
    (warning) => {
      const certain = Float64Array.of(1, 0);
      const appliedLesson = {
        id: "lesson-1",
        usesFeatures: false,
        toProbabilities: (_: unknown, p: Float64Array) => p,
        accuracyOf: () => 1,
        risk: points,
      };
      const grounds = { calibration: withRisk, maxErrorRate: 0.5 };
      for (const known of [undefined, appliedLesson]) {
        expect(toExtensionFields("choice", certain, { ...grounds, appliedLesson: known, warnings: [] }).x_act).toBe(true);
        expect(toExtensionFields("choice", certain, { ...grounds, appliedLesson: known, warnings: [warning] }).x_act).toBe(false);
      }
    },
  );

  it("is no where the pack states no counts, or none for the type", () => {
    const certain = Float64Array.of(1, 0);
    expect(toExtensionFields("choice", certain, { calibration, warnings: [], maxErrorRate: 0.5 }).x_act).toBe(false);
    expect(toExtensionFields("noul", certain, { calibration: withRisk, warnings: [], maxErrorRate: 0.5 }).x_act).toBe(false);
    const risk = { choice: withRisk.risk.choice };
    expect(toExtensionFields("noul", certain, { calibration: { ...calibration, risk }, warnings: [], maxErrorRate: 0.5 }).x_act).toBe(
      false,
    );
  });

  it("is no for more options than any that were counted", () => {
    const grounds = { calibration: withRisk, warnings: [], maxErrorRate: 0.5 };
    expect([5, 6].map((options) => toExtensionFields("choice", withLargest(0.95, options), grounds).x_act)).toEqual([true, false]);
  });

  it("goes by what was learned of the question, where it was taught", () => {
    const appliedLesson = {
      id: "lesson-1",
      usesFeatures: false,
      toProbabilities: (_: unknown, p: Float64Array) => p,
      accuracyOf: () => 0.7,
      risk: [],
    };
    const grounds = { calibration: withRisk, appliedLesson, warnings: [], maxErrorRate: 0.05 };
    expect(toExtensionFields("choice", Float64Array.of(0.95, 0.05), grounds)).toEqual({
      x_accuracy: 0.7,
      x_lesson: "lesson-1",
      x_act: false,
    });
  });
});
