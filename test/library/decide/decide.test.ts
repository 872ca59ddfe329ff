import { describe, expect, it, test } from "vitest";
import { DecideError } from "../../../src/errors.ts";
import { decide, toExtensionFields } from "../../../src/library/decide/decide.ts";
import type { AppliedLesson, Scorer } from "../../../src/library/decide/decide.ts";
import type { ChoiceAnswer, NoulAnswer } from "../../../src/library/decide/types.ts";
import type { Batch, BatchScores, Calibration, EngineInfo } from "../../../src/library/engine/engine.ts";
import { thresholdFor, type RiskPoint } from "../../../src/library/statistics/curves.ts";
import { INFO } from "../../support/fake-engine.ts";
import { decideError } from "../../support/rejection.ts";

const info: EngineInfo = { ...INFO, model: "some-model" };

const request = {
  model: "some-model",
  state: "The lid was cracked.",
  questions: {
    about: { type: "choice", instructions: "What about?", criteria: { damage: null, delay: null, praise: null } },
    late: { type: "noul", instructions: "Is it late?" },
  },
} as const;

/** Scores every option by its place: the first one is likeliest. */
const scoresOf = (batch: Batch): BatchScores => ({
  questions: batch.questions.map(({ options }) => ({
    scores: Float32Array.from(options, (_, i) => -i),
    answerTokens: new Uint32Array(options.length).fill(2),
  })),
  warnings: [],
  inputTokens: 7,
});

const scorer = (score: (batch: Batch) => BatchScores): Scorer => ({ score: (batch) => Promise.resolve({ info, scores: score(batch) }) });

const decided = (score: (batch: Batch) => BatchScores): ReturnType<typeof decide> =>
  decide(request, () => Promise.resolve(scorer(score)), {});

describe("a decision", () => {
  it("asks for features where what was learned uses them, and nowhere else", async () => {
    const asked: (boolean | undefined)[][] = [];
    const ask = async (usesFeatures: boolean | undefined): Promise<void> => {
      const lesson: AppliedLesson = {
        id: "lesson-1",
        usesFeatures: usesFeatures === true,
        toProbabilities: (_, p) => p,
        accuracyOf: () => 0.5,
        thresholdFor: () => undefined,
      };
      const score = (batch: Batch): BatchScores => {
        asked.push(batch.questions.map(({ withFeatures }) => withFeatures));
        return scoresOf(batch);
      };
      const found = {
        ...scorer(score),
        appliedLesson: ({ id }: { id: string }) => (id === "late" && usesFeatures !== undefined ? lesson : undefined),
      };
      await decide(request, () => Promise.resolve(found), {});
    };
    for (const usesFeatures of [undefined, false, true]) await ask(usesFeatures);
    expect(asked).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [undefined, true],
    ]);
  });

  it("that is stopped fails with the signal's reason, also where that is an error of ours", async () => {
    const reason = new DecideError("input_too_long", "It took too long.", {
      issues: [{ loc: ["body"], msg: "is slow", type: "too_long" }],
    });
    const stop = new AbortController();
    const score = (): Promise<never> => {
      stop.abort(reason);
      return Promise.reject(reason);
    };
    const { signal } = stop;
    expect(await decideError(() => decide(request, () => Promise.resolve({ score }), { signal }))).toBe(reason);
  });

  it("goes from the request over the model that it names to an answer for each question", async () => {
    const asked: (string | undefined)[] = [];
    const find = (model: string | undefined): Promise<Scorer> => {
      asked.push(model);
      return Promise.resolve(scorer(scoresOf));
    };
    const { model, answers, usage } = await decide(request, find, {});
    expect(asked).toEqual(["some-model"]);
    expect(model).toBe("some-model");
    expect(Object.keys(answers)).toEqual(["about", "late"]);
    expect(answers["about"]).toMatchObject({ type: "choice", choice: "damage" });
    expect(answers["late"]).toMatchObject({ type: "noul" });
    expect(usage).toEqual({ input_tokens: 7, output_tokens: 4 });
  });

  it("says of each answer how often such answers are right, and what is odd about the state", async () => {
    const accuracy = { choice: [{ maxOptions: 255, slope: 1, bias: 0 }], noul: [{ maxOptions: 2, slope: 2, bias: 0 }], score: [] };
    const stating: EngineInfo = { ...info, calibration: { ...info.calibration, accuracy } };
    const warned = (batch: Batch): BatchScores => ({ ...scoresOf(batch), warnings: ["empty_state"] });
    const find = (): Promise<Scorer> =>
      Promise.resolve({ score: (batch: Batch) => Promise.resolve({ info: stating, scores: warned(batch) }) });
    const { answers } = await decide(request, find, {});
    for (const { x_warnings, x_accuracy } of Object.values(answers)) expect([x_warnings, x_accuracy]).toEqual([["empty_state"], undefined]);
    const read: typeof find = () =>
      Promise.resolve({ score: (batch: Batch) => Promise.resolve({ info: stating, scores: scoresOf(batch) }) });
    const { about, late } = (await decide(request, read, {})).answers as { about: ChoiceAnswer; late: NoulAnswer };
    expect(about.x_accuracy).toBeCloseTo(Math.max(...Object.values(about.probabilities)), 12);
    expect(late.x_accuracy).toBeGreaterThan(late.noul);
    const silent = await decided(scoresOf);
    for (const answer of Object.values(silent.answers)) expect(Object.keys(answer).filter((name) => name.startsWith("x_"))).toEqual([]);
  });

  it.each([
    ["the likeliest answers", [-1, 0, -2], [3, 5, 7], 5 + 1],
    ["the first of a tie", [0, 0, -1], [4, 9, 9], 4 + 1],
    ["none for a key without tokens", [0, -1, -1], [0, 9, 9], 0 + 1],
  ])("counts as output the tokens of %s", async (_, scores, answerTokens, tokens) => {
    const about = { scores: Float32Array.from(scores), answerTokens: Uint32Array.from(answerTokens) };
    const late = { scores: Float32Array.of(-3, 0), answerTokens: Uint32Array.of(1, 1) };
    const { usage } = await decided(() => ({ questions: [about, late], warnings: [], inputTokens: 123 }));
    expect(usage).toEqual({ input_tokens: 123, output_tokens: tokens });
  });

  it("tells the engine how many input tokens the request may have", async () => {
    let batch: Batch | undefined;
    const spy = scorer((given) => scoresOf((batch = given)));
    await decide(request, () => Promise.resolve(spy), { maxInputTokens: 50 });
    expect(batch?.maxInputTokens).toBe(50);
  });

  it("checks the request before it looks for a model", async () => {
    let isAsked = false;
    const find = (): Promise<Scorer> => {
      isAsked = true;
      return Promise.resolve(scorer(scoresOf));
    };
    const error = await decideError(() => decide({ state: 1 }, find, {}));
    expect(error.code).toBe("invalid_request");
    expect(isAsked).toBe(false);
  });
});

describe("an engine that owes something", () => {
  const broken: [string, (batch: Batch) => BatchScores][] = [
    ["the scores of a question", (batch) => ({ ...scoresOf(batch), questions: scoresOf(batch).questions.slice(1) })],
    [
      "the scores of two questions more",
      (batch) => ({ ...scoresOf(batch), questions: [...scoresOf(batch).questions, ...scoresOf(batch).questions] }),
    ],
    [
      "the score of an option",
      (batch) => ({ ...scoresOf(batch), questions: scoresOf(batch).questions.map((q) => ({ ...q, scores: q.scores.slice(1) })) }),
    ],
    [
      "all scores of a yes/no question",
      (batch) => ({
        ...scoresOf(batch),
        questions: scoresOf(batch).questions.map((q, i) => (i === 1 ? { ...q, scores: new Float32Array() } : q)),
      }),
    ],
    [
      "the token counts of the answers",
      (batch) => ({ ...scoresOf(batch), questions: scoresOf(batch).questions.map((q) => ({ ...q, answerTokens: new Uint32Array() })) }),
    ],
    [
      "scores that are numbers",
      (batch) => ({ ...scoresOf(batch), questions: scoresOf(batch).questions.map((q) => ({ ...q, scores: q.scores.map(() => NaN) })) }),
    ],
  ];

  it.each(broken)("gives no answer, but an internal error: %s", async (_, score) => {
    expect((await decideError(() => decided(score))).code).toBe("internal");
  });
});

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

it.each(["unread_text", "empty_state"] as const)("with the warning %s nothing is said but the warning, taught or not", (warning) => {
  const appliedLesson = {
    id: "lesson-1",
    usesFeatures: false,
    toProbabilities: (_: unknown, p: Float64Array) => p,
    accuracyOf: () => 1,
    thresholdFor: () => undefined,
  };
  const even = Float64Array.of(0.5, 0.5);
  expect(toExtensionFields("choice", even, { calibration, warnings: [warning] })).toEqual({ x_warnings: [warning] });
  expect(toExtensionFields("choice", even, { calibration, appliedLesson, warnings: [warning] })).toEqual({
    x_lesson: "lesson-1",
    x_warnings: [warning],
  });
});

describe("whether to act on an answer", () => {
  const byRate = [
    { maxErrorRate: 0.05, probability: 0.9 },
    { maxErrorRate: 0.2, probability: 0.7 },
  ];
  const able = { ...calibration, thresholds: { choice: [{ maxOptions: 5, byRate }], noul: { yes: byRate } } };
  const taught = (risk: readonly RiskPoint[]): AppliedLesson => ({
    id: "lesson-1",
    usesFeatures: false,
    toProbabilities: (_, p) => p,
    accuracyOf: () => 0.7,
    thresholdFor: (maxErrorRate) => thresholdFor(risk, maxErrorRate),
  });
  const SURE = [{ probability: 0.9, answers: 100, errors: 0 }];
  const NONE = { x_act: false, x_act_reason: "no_threshold" };

  it("is said only where an error rate is asked for", () => {
    const answer = toExtensionFields("choice", Float64Array.of(0.9, 0.1), { calibration: able, warnings: [] });
    expect(answer).not.toHaveProperty("x_act");
    expect(answer).not.toHaveProperty("x_act_reason");
  });

  it.each([
    [0.95, 0.05, {}],
    [0.9, 0.05, {}],
    [0.89, 0.05, { x_act_reason: "not_sure" }],
    [0.89, 0.19, { x_act_reason: "not_sure" }],
    [0.89, 0.2, {}],
    [0.7, 0.9, {}],
    [0.69, 0.9, { x_act_reason: "not_sure" }],
    [0.99, 0.049, { x_act_reason: "no_threshold" }],
  ])(
    "with a probability of %f and an error rate of %f goes by the threshold of that rate, or of the next lower one",
    (p, maxErrorRate, why) => {
      const grounds = { calibration: able, warnings: [], maxErrorRate };
      const { x_act, x_act_reason } = toExtensionFields("choice", Float64Array.of(p, 1 - p), grounds);
      expect({ x_act, x_act_reason }).toEqual({ x_act: !("x_act_reason" in why), ...why });
    },
  );

  it.each(["unread_text", "empty_state"] as const)(
    "is no where the state has the warning %s: no held-out answer was about such a text",
    (warning) => {
      const certain = Float64Array.of(1, 0);
      const grounds = { calibration: able, maxErrorRate: 0.5 };
      for (const appliedLesson of [undefined, taught(SURE)]) {
        expect(toExtensionFields("choice", certain, { ...grounds, appliedLesson, warnings: [] }).x_act).toBe(true);
        expect(toExtensionFields("choice", certain, { ...grounds, appliedLesson, warnings: [warning] })).toMatchObject({
          x_act: false,
          x_act_reason: "warning",
        });
      }
    },
  );

  it("is no where the pack states no thresholds, none for the type, or none for so many options", () => {
    const certain = Float64Array.of(1, 0);
    const grounds = { calibration: able, warnings: [], maxErrorRate: 0.5 };
    expect(toExtensionFields("choice", certain, { ...grounds, calibration })).toMatchObject(NONE);
    expect(toExtensionFields("score", certain, grounds)).toMatchObject(NONE);
    expect(toExtensionFields("choice", withLargest(0.95, 5), grounds)).toMatchObject({ x_act: true });
    expect(toExtensionFields("choice", withLargest(0.95, 6), grounds)).toMatchObject(NONE);
  });

  it("goes by a threshold of yes and one of no", () => {
    const grounds = { calibration: able, warnings: [], maxErrorRate: 0.5 };
    expect(toExtensionFields("noul", Float64Array.of(0.95, 0.05), grounds)).toMatchObject({ x_act: true });
    expect(toExtensionFields("noul", Float64Array.of(0.05, 0.95), grounds)).toMatchObject(NONE);
  });

  it("goes by what was learned of the question, where it was taught", () => {
    const grounds = { calibration: able, warnings: [], maxErrorRate: 0.05 };
    const lesson = { x_accuracy: 0.7, x_lesson: "lesson-1" };
    const fields = (p: number, risk: readonly RiskPoint[]): unknown =>
      toExtensionFields("choice", Float64Array.of(p, 1 - p), { ...grounds, appliedLesson: taught(risk) });
    expect(fields(0.95, [])).toEqual({ ...lesson, ...NONE });
    expect(fields(0.89, SURE)).toEqual({ ...lesson, x_act: false, x_act_reason: "not_sure" });
    expect(fields(0.95, SURE)).toEqual({ ...lesson, x_act: true });
  });
});
