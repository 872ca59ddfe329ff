import fc from "fast-check";
import * as ort from "onnxruntime-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entailmentAt } from "../../../../../src/library/engine/batch.ts";
import { readTokenizer } from "../../../../../src/library/engine/encoders/encoder.ts";
import type { Batch, BatchScores, OptionText, QuestionText } from "../../../../../src/library/engine/engine.ts";
import { pair, toBatches, toRows, toSequence } from "../../../../../src/library/engine/families/pair/family.ts";
import type { PairLabel, PairManifest } from "../../../../../src/library/engine/families/pair/manifest.ts";
import type { ModelPack } from "../../../../../src/library/engine/pack/open-pack.ts";
import { queuedEngine } from "../../../../../src/library/engine/queued-engine.ts";
import type { Model } from "../../../../../src/library/engine/queued-engine.ts";
import type { Runtime, Tensor } from "../../../../../src/library/engine/runtime.ts";
import { AddedPack } from "../../../../support/added-pack.ts";
import { catTokens } from "../../../../support/long-requests.ts";
import { decideError, rejection } from "../../../../support/rejection.ts";

/** The real runtime, which notes the sizes of each run, may change its logits, and counts sessions. */
const runs: { readonly rows: number; readonly length: number }[] = [];
let changed: (logits: Tensor) => Tensor = (logits) => logits;
let sessions = 0;
const runtime: Runtime = {
  Tensor: ort.Tensor,
  InferenceSession: {
    create: async (graph, options) => {
      const session = await ort.InferenceSession.create(graph, options);
      sessions++;
      return {
        run: async (feeds, fetches) => {
          const [rows = NaN, length = NaN] = feeds["input_ids"]?.dims ?? [];
          runs.push({ rows, length });
          const results = await session.run(feeds, [...fetches]);
          return Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, changed(tensor)]));
        },
        release: () => {
          sessions--;
          return session.release();
        },
      };
    },
  },
};
const floats = (logits: Tensor, change: (values: Float32Array) => Float32Array): Tensor =>
  new ort.Tensor("float32", change(logits.data as Float32Array), logits.dims);

const option = (text: string): OptionText => ({ text, sent: [text], answer: text });
const question = (instructions: string, ...options: string[]): QuestionText => ({
  type: "choice",
  instructions,
  options: options.map(option),
});
const TOPIC = question("What is it about?", "delivery", "cooking", "music", "a parcel that came late");
const LATE = question("Is it late?", "yes", "no");
const STATE = "The parcel arrived two weeks late.";
const WINDOW_TOKENS = 128;

const CPU = { device: "cpu", precision: "fp32", threads: 1 } as const;

describe("the pair model", () => {
  let pack: ModelPack<PairManifest>;
  let model: Model;
  beforeAll(async () => {
    const added = await AddedPack.make("bert");
    pack = (await added.open()) as ModelPack<PairManifest>;
    model = await pair.load(pack, runtime, CPU);
  });
  afterAll(async () => {
    await model.release();
    expect(sessions).toBe(0);
  });

  /** Reads the pack's files, and another tokenizer. */
  const readingTokenizer =
    (bytes: Uint8Array<ArrayBuffer>): ModelPack<PairManifest>["read"] =>
    (name) =>
      name === "tokenizer.json" ? Promise.resolve(bytes) : pack.read(name);

  const withManifest = (changes: Partial<PairManifest>): ModelPack<PairManifest> => ({
    ...pack,
    manifest: { ...pack.manifest, ...changes },
  });
  const score = async (batch: Batch, of = model): Promise<BatchScores> => {
    runs.length = 0;
    return of.score(batch, () => Promise.resolve());
  };
  const scores = async (state: string, asked: QuestionText, of = model): Promise<Float32Array> =>
    (await score({ state, questions: [asked] }, of)).questions[0]?.scores ?? new Float32Array();

  it("answers a question the same, bit for bit, whatever is asked beside it", async () => {
    const alone = await scores(STATE, TOPIC);
    const beside = await score({ state: STATE, questions: [question("Which?", "x", "y ".repeat(20)), TOPIC, LATE] });
    expect(beside.questions[1]?.scores).toEqual(alone);
  });

  it("scores options the same, bit for bit, in whatever order they come", async () => {
    const inOrder = await scores(STATE, TOPIC);
    const turned = await scores(STATE, { ...TOPIC, options: [...TOPIC.options].reverse() });
    expect([...turned].reverse()).toEqual([...inOrder]);
  });

  it("reads equal options once", async () => {
    const found = await scores(STATE, question("Which?", "late", "early", "late", "late"));
    expect(runs).toEqual([{ rows: 2, length: expect.any(Number) as number }]);
    expect(new Set(found).size).toBe(2);
    expect([found[2], found[3]]).toEqual([found[0], found[0]]);
  });

  it("has no more tokens in a run than the longest row may have, however many options there are", async () => {
    await scores(STATE, question("Which?", ...Array.from({ length: 255 }, (_, i) => `number ${i} ${"a ".repeat(i % 30)}`)));
    expect(runs.length).toBeGreaterThan(50);
    expect(runs.filter(({ rows, length }) => rows * length > WINDOW_TOKENS)).toEqual([]);
  });

  it("reads a long state in windows beside the longest hypothesis, and takes the score of the one that entails an option most", async () => {
    const asked = question("Which?", "late", "late, and then a b c d e f g h i j k l m n o p");
    const state = Array.from({ length: 200 }, (_, i) => `${(i * 37) % 199} cats`).join(" ");
    const seen = new Map<number, number[]>();
    changed = (logits) => {
      const { length = NaN } = runs.at(-1) ?? {};
      const of = Array.from({ length: Number(logits.dims[0]) }, (_, row) =>
        entailmentAt(logits.data as Float32Array, row, pack.manifest.labels),
      );
      seen.set(length, [...(seen.get(length) ?? []), ...of]);
      return logits;
    };
    try {
      const [short = NaN, long = NaN] = await scores(state, asked);
      const [ofShort = [], ofLong = []] = [...seen.values()];
      expect([...seen.keys()][1]).toBe(WINDOW_TOKENS);
      expect(ofShort.length).toBeGreaterThan(4);
      expect(ofLong).toHaveLength(ofShort.length);
      expect([short, long]).toEqual([ofShort, ofLong].map((all) => Math.fround(Math.max(...all))));
    } finally {
      changed = (logits) => logits;
    }
  });

  it("reads each type of question by its template", async () => {
    const templates = { choice: "{option}", noul: "{instructions} {option}", score: "It is {option}. {instructions}" };
    const own = await pair.load(withManifest({ templates }), runtime, CPU);
    const plain = await pair.load(withManifest({ templates: { choice: "{option}", noul: "{option}", score: "{option}" } }), runtime, CPU);
    const asked = (type: QuestionText["type"]): QuestionText => ({
      type,
      instructions: "$& {option}?",
      options: [option("{instructions} $1")],
    });
    const read = (hypothesis: string): Promise<Float32Array> =>
      scores(STATE, { type: "choice", instructions: "", options: [option(hypothesis)] }, plain);
    expect(await scores(STATE, asked("choice"), own)).toEqual(await read("{instructions} $1"));
    expect(await scores(STATE, asked("noul"), own)).toEqual(await read("$& {option}? {instructions} $1"));
    expect(await scores(STATE, asked("score"), own)).toEqual(await read("It is {instructions} $1. $& {option}?"));
    await Promise.all([own.release(), plain.release()]);
  });

  it.each<[readonly PairLabel[]]>([
    [["entailment", "neutral", "contradiction"]],
    [["entailment", "contradiction", "neutral"]],
    [["neutral", "entailment", "contradiction"]],
    [["neutral", "contradiction", "entailment"]],
    [["contradiction", "entailment", "neutral"]],
    [["contradiction", "neutral", "entailment"]],
  ])("gives the same scores, bit for bit, where its head has the labels in the order %j", async (labels) => {
    const expected = await scores(STATE, TOPIC);
    const turned = await pair.load(withManifest({ labels }), runtime, CPU);
    const before = pack.manifest.labels;
    // As a head gives them whose rows stand in that order.
    changed = (logits) =>
      floats(logits, (values) => values.map((_, i) => values[i - (i % 3) + before.indexOf(labels[i % 3] ?? "not_entailment")] ?? NaN));
    try {
      expect(await scores(STATE, TOPIC, turned)).toEqual(expected);
    } finally {
      changed = (logits) => logits;
      await turned.release();
    }
  });

  it("counts the tokens that were sent, each part once, however many rows have them", async () => {
    const { tokenize } = await readTokenizer(pack);
    const count = (...texts: string[]): number => texts.reduce((sum, text) => sum + tokenize(text).length, 0);
    const state = catTokens(300);
    const { inputTokens, questions } = await score({ state, questions: [LATE, TOPIC] });
    const sent = [LATE, TOPIC].flatMap(({ instructions, options }) => [instructions, ...options.map(({ text }) => text)]);
    expect(inputTokens).toBe(count(state, ...sent));
    expect([...(questions[1]?.answerTokens ?? [])]).toEqual(TOPIC.options.map(({ text }) => count(text)));
  });

  it("is refused with limits that leave a window fewer than 32 tokens for the state", async () => {
    const limits = { ...pack.manifest.limits, instructionsTokens: 60, optionTokens: 34 };
    const error = await decideError(() => pair.load(withManifest({ limits }), runtime, CPU));
    expect(error).toMatchObject({ code: "model_invalid" });
    expect(error.message).toContain("leave 31 tokens of a window to the state; it must have 32");
  });

  it("refuses, and never cuts, a hypothesis that has more tokens than its parts", async () => {
    const json = JSON.parse(new TextDecoder().decode(await pack.read("tokenizer.json"))) as { normalizer: unknown };
    const grows = { type: "Replace", pattern: { String: "zz" }, content: "a a a" };
    const tokenizer = { ...json, normalizer: { type: "Sequence", normalizers: [grows, json.normalizer] } };
    const bytes = new TextEncoder().encode(JSON.stringify(tokenizer));
    const limits = { ...pack.manifest.limits, instructionsTokens: 53, optionTokens: 40 };
    const templates = { ...pack.manifest.templates, choice: "{instructions}{option}" };
    const own = { ...withManifest({ limits, templates }), read: readingTokenizer(bytes) };
    const joined = await pair.load(own, runtime, CPU);
    const long = question(`${"a ".repeat(52)}z`, "x", `z${" a".repeat(39)}`);
    const error = await decideError(() => score({ state: "s", questions: [LATE, long] }, joined));
    expect(error).toMatchObject({ code: "input_too_long" });
    expect(error.issues).toEqual([
      {
        loc: ["questions", 1, "options", 1],
        msg: "has 94 tokens with its instructions, more than the model's limit of 93",
        type: "too_long",
      },
    ]);
    await joined.release();
  });

  it("says when there is nothing to read, or mostly what the vocabulary cannot spell", async () => {
    const warningsOf = async (state: string): Promise<readonly string[]> => (await score({ state, questions: [LATE] })).warnings;
    expect(await warningsOf(STATE)).toEqual([]);
    expect(await warningsOf(" \n")).toEqual(["empty_state"]);
    expect(await warningsOf("Посылка опоздала на две недели")).toEqual(["unread_text"]);
  });

  it("refuses an answer that is not a number", async () => {
    changed = (logits) => floats(logits, (values) => values.map(() => NaN));
    try {
      expect(await decideError(() => scores(STATE, LATE))).toMatchObject({ code: "backend_failed" });
    } finally {
      changed = (logits) => logits;
    }
    expect((await scores(STATE, LATE)).every(Number.isFinite)).toBe(true);
  });

  it("hears an abort between two runs, and answers the next call", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const engine = queuedEngine({ ...model, release: () => Promise.resolve() }, {} as never);
    changed = (logits) => {
      if (runs.length === 3) controller.abort(reason);
      return logits;
    };
    runs.length = 0;
    try {
      const many = question("Which?", ...Array.from({ length: 100 }, (_, i) => `number ${i}`));
      expect(await rejection(() => engine.score({ state: STATE, questions: [many] }, controller.signal))).toBe(reason);
      expect((await engine.score({ state: STATE, questions: [LATE] })).questions).toHaveLength(1);
    } finally {
      changed = (logits) => logits;
    }
    expect(runs).toHaveLength(4);
  });

  it("has no features, and no graph for what its pack does not have", async () => {
    expect(model).toMatchObject({ graph: "fp32", graphFile: "model.onnx", features: 0 });
    const { fp32 } = pack.manifest.graphs;
    const only = withManifest({ graphs: { ...(fp32 && { fp32 }) } });
    const error = await decideError(() => pair.load(only, runtime, { ...CPU, precision: "int8" }));
    expect(error).toMatchObject({ code: "backend_unavailable" });
    expect(error.message).toBe("The model tiny-pair has no int8 graph. It has: fp32.");
  });

  it("is refused where its tokenizer is none", async () => {
    const broken = { ...pack, read: readingTokenizer(new Uint8Array([123])) };
    expect(await decideError(() => pair.load(broken, runtime, CPU))).toMatchObject({ code: "model_invalid" });
  });
});

const count = (tokens: number): number[] => Array.from({ length: tokens }, (_, i) => i);

describe("the rows of a question", () => {
  it("are every window with every hypothesis, the shortest first, each once", () => {
    const rows = toRows(count(5), [[9, 9], [7], [9, 8], [7]], 4, 2);
    const [first, second] = [
      [0, 1, 2, 3],
      [1, 2, 3, 4],
    ];
    expect(rows).toEqual([
      { window: first, hypothesis: [7] },
      { window: second, hypothesis: [7] },
      { window: first, hypothesis: [9, 8] },
      { window: second, hypothesis: [9, 8] },
      { window: first, hypothesis: [9, 9] },
      { window: second, hypothesis: [9, 9] },
    ]);
  });

  it("have a window once that the state repeats", () => {
    const repeated = Array.from({ length: 1000 }, () => 5);
    expect(toRows(repeated, [[1], [2]], 100, 20)).toHaveLength(2);
  });

  it("are one of nothing for a state and an option without tokens", () => {
    expect(toRows([], [[], []], 100, 20)).toEqual([{ window: [], hypothesis: [] }]);
  });

  it("still have tokens of their own where a window is shorter than the overlap", () => {
    const starts = toRows(count(100), [[1]], 32, 64).map(({ window }) => window[0]);
    expect(starts).toEqual([0, 13, 27, 40, 54, 68]);
  });

  it("do not depend on the order of the options", () => {
    const options = fc.array(fc.array(fc.nat(3), { maxLength: 4 }), { minLength: 1, maxLength: 20 });
    const shuffled = options.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(shuffled, ([all, turned]) => {
        expect(toRows(count(10), turned, 8, 2)).toEqual(toRows(count(10), all, 8, 2));
      }),
    );
  });
});

it("a row has its special tokens, and a token type for each token", () => {
  const pair = {
    before: [{ id: 1, type: 0 }],
    between: [
      { id: 2, type: 0 },
      { id: 3, type: 1 },
    ],
    after: [{ id: 2, type: 1 }],
    premiseType: 0,
    hypothesisType: 1,
  };
  expect(toSequence({ window: [7, 8], hypothesis: [9] }, pair)).toEqual({ ids: [1, 7, 8, 2, 3, 9, 2], types: [0, 0, 0, 0, 1, 1, 1] });
  expect(toSequence({ window: [], hypothesis: [] }, pair)).toEqual({ ids: [1, 2, 3, 2], types: [0, 0, 1, 1] });
});

const MAX_TOKENS = 512;
const batchesOf = (lengths: readonly number[], isPadded = true): number[][] => toBatches(lengths, (length) => length, MAX_TOKENS, isPadded);
const paddingOf = (batch: readonly number[]): number => batch.reduce((sum, length) => sum + (batch.at(-1) ?? 0) - length, 0);

describe("rows are read in batches", () => {
  it("of rows of one length, with as many tokens as the longest row may have", () => {
    expect(batchesOf(Array.from({ length: 10 }, () => 100)).map((batch) => batch.length)).toEqual([5, 5]);
    expect(batchesOf([512, 512])).toEqual([[512], [512]]);
    expect(batchesOf([257, 257])).toEqual([[257], [257]]);
  });

  it("in which padding costs less than another run would", () => {
    expect(batchesOf([10, 12, 20])).toEqual([[10, 12, 20]]);
    expect(batchesOf([10, 40])).toEqual([[10], [40]]);
    expect(batchesOf([100, 101, 102, 103, 112])).toEqual([[100, 101, 102, 103], [112]]);
  });

  it("without padding, if that would change what the model says", () => {
    expect(batchesOf([10, 10, 12, 20, 20], false)).toEqual([[10, 10], [12], [20, 20]]);
  });

  it("in order, each row once, never above the bound", () => {
    const lengths = fc.array(fc.integer({ min: 2, max: MAX_TOKENS }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(lengths, (unsorted) => {
        const sorted = unsorted.sort((a, b) => a - b);
        const batches = batchesOf(sorted);
        expect(batches.flat()).toEqual(sorted);
        const isWrong = (batch: readonly number[]): boolean =>
          batch.length === 0 || batch.length * (batch.at(-1) ?? 0) > MAX_TOKENS || paddingOf(batch) > 24;
        expect(batches.filter(isWrong)).toEqual([]);
        // No two neighbours could have been one.
        const couldBeOne = batches.filter((batch, i) => {
          const joined = [...(batches[i - 1] ?? [Infinity]), batch[0] ?? Infinity];
          return i > 0 && joined.length * (joined.at(-1) ?? 0) <= MAX_TOKENS && paddingOf(joined) <= 24;
        });
        expect(couldBeOne).toEqual([]);
      }),
    );
  });
});
