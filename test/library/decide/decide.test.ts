import { describe, expect, it } from "vitest";
import { decide } from "../../../src/library/decide/decide.ts";
import type { AppliedLesson, Scorer } from "../../../src/library/decide/decide.ts";
import { CheckedRequest } from "../../../src/library/decide/request.ts";
import type { ChoiceAnswer, NoulAnswer } from "../../../src/library/decide/types.ts";
import type { Batch, BatchScores, EngineInfo } from "../../../src/library/engine/engine.ts";
import { DecideError } from "../../../src/errors.ts";
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
        risk: [],
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
    const { about, late } = answers as { about: ChoiceAnswer; late: NoulAnswer };
    expect(about.x_accuracy).toBeCloseTo(Math.max(...Object.values(about.probabilities)), 12);
    expect(late.x_accuracy).toBeGreaterThan(late.noul);
    for (const { x_warnings } of [about, late]) expect(x_warnings).toEqual(["empty_state"]);
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

describe("a checked request", () => {
  const counting = (): { readonly value: object; readonly reads: () => number } => {
    let reads = 0;
    const late = {
      type: "noul",
      get instructions() {
        reads++;
        return "Is it late?";
      },
    };
    const value = { ...request, questions: { ...request.questions, late } };
    return { value, reads: () => reads };
  };

  it("is decided as it was checked, without being read again", async () => {
    const { value, reads } = counting();
    const checked = new CheckedRequest(value);
    const before = reads();
    const answered = await decide(checked, () => Promise.resolve(scorer(scoresOf)), {});
    expect(reads()).toBe(before);
    expect(answered).toEqual(await decided(scoresOf));
  });

  it("has the fields of a request, for deciders of any make", () => {
    expect(new CheckedRequest(request)).toMatchObject(request);
  });

  it("is refused for what a request is refused for", async () => {
    expect((await decideError(() => Promise.resolve(new CheckedRequest({ questions: {} })))).code).toBe("invalid_request");
  });

  it("is not believed when it only looks like one", async () => {
    const lookalike = Object.create(CheckedRequest.prototype) as object;
    expect((await decideError(() => decide(lookalike, () => Promise.resolve(scorer(scoresOf)), {}))).code).toBe("invalid_request");
  });
});
