import fc from "fast-check";
import * as ort from "onnxruntime-node";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Batch, BatchScores, OptionText, QuestionText } from "../../../../../src/library/engine/engine.ts";
import { parseManifest } from "../../../../../src/library/engine/families/families.ts";
import type { SharedPremiseManifest } from "../../../../../src/library/engine/families/shared-premise/manifest.ts";
import { sharedPremise } from "../../../../../src/library/engine/families/shared-premise/family.ts";
import { openPack } from "../../../../../src/library/engine/pack/open-pack.ts";
import type { Model } from "../../../../../src/library/engine/queued-engine.ts";
import type { Runtime, Tensor } from "../../../../../src/library/engine/runtime.ts";
import { packFiles } from "../../../../../src/library/platform/node/engine.ts";
import { checkWithModel } from "../../../../support/model-property.ts";
import { PACK_URL } from "../../../../support/package-root.ts";
import { decideError, rejection } from "../../../../support/rejection.ts";

/** The real runtime, which notes how many logits each run gives and how many tokens it sees, keeps what it gave, and fails when it is told to. */
const runs: { readonly logits: number; readonly past: number }[] = [];
const given: Tensor[] = [];
/** Of each run that reads: what its values were, by layer. */
const values: (readonly Float32Array[])[] = [];
let failAt = Infinity;
const runtime: Runtime = {
  Tensor: ort.Tensor,
  InferenceSession: {
    create: async (graph, options) => {
      const session = await ort.InferenceSession.create(graph, options);
      return {
        run: async (feeds, fetches) => {
          if (!("input_ids" in feeds)) return session.run(feeds, [...fetches]);
          if (runs.length >= failAt) throw new Error("told to fail");
          runs.push({ logits: Number(feeds["first_tokens"]?.dims[0]), past: Number(feeds["past.0.key"]?.dims[2]) });
          const results = await session.run(feeds, [...fetches]);
          for (const [name, tensor] of Object.entries(results)) if (name !== "logits") given.push(tensor);
          const ofLayers = Object.keys(results).filter((name) => name.endsWith(".value"));
          if (ofLayers.length > 0) values.push(ofLayers.map((name) => (results[name]?.data as Float32Array).slice()));
          return results;
        },
        release: () => session.release(),
      };
    },
  },
};

/** So that features are plain means. test/golden-features.package.test.ts is about those by the pack's basis. */
async function withoutBasis(text: string): Promise<SharedPremiseManifest> {
  const manifest = (await parseManifest(text)) as SharedPremiseManifest;
  return { ...manifest, features: { layers: manifest.features.layers } };
}

const option = (text: string): OptionText => ({ text, sent: [text], answer: text });
const question = (instructions: string, ...options: string[]): QuestionText => ({
  type: "choice",
  instructions,
  options: options.map(option),
});
const TOPIC = question("What is it about?", "delivery", "cooking", "music");
const LATE = question("Is it late?", "yes", "no");
const STATE = "The parcel arrived two weeks late.";

describe("the shared-premise model", () => {
  let model: Model;
  beforeAll(async () => {
    model = await sharedPremise.load(await openPack(packFiles(PACK_URL.href), withoutBasis), runtime, {
      device: "cpu",
      precision: "int8",
      threads: 1,
    });
  });
  afterAll(() => model.release());

  const score = (batch: Batch, signal?: AbortSignal): Promise<BatchScores> => {
    runs.length = 0;
    given.length = 0;
    values.length = 0;
    return model.score(batch, () => (signal?.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve()));
  };
  const areFreed = (): boolean => given.every((tensor) => rejects(() => tensor.data));

  const STATE_TOKENS = 9;

  it("reads the state once, and then small questions in one run, each with its options", async () => {
    await score({ state: STATE, questions: [TOPIC, LATE] });
    expect(runs).toEqual([
      { logits: 1, past: 0 },
      { logits: 3 + 2, past: STATE_TOKENS },
    ]);
  });

  it("reads many questions in several runs", async () => {
    await score({ state: STATE, questions: Array.from({ length: 30 }, () => TOPIC) });
    expect(runs.length).toBeGreaterThan(2);
    expect(runs.length).toBeLessThan(6);
    expect(runs.slice(1).reduce((sum, { logits }) => sum + logits, 0)).toBe(90);
  });

  it("reads a short state and its only question in one run", async () => {
    await score({ state: STATE, questions: [TOPIC] });
    expect(runs).toEqual([{ logits: 3, past: 0 }]);
  });

  it("reads a longer state in a run of its own", async () => {
    await score({ state: "word ".repeat(255), questions: [LATE] });
    expect(runs.map(({ past }) => past)).toEqual([0, 257]);
  });

  it("reads equal options once", async () => {
    await score({ state: STATE, questions: [question("", "late", "late", "early")] });
    expect(runs.map(({ logits }) => logits)).toEqual([2]);
  });

  it("reads a long state window by window", async () => {
    await score({ state: "word ".repeat(900), questions: [LATE] });
    expect(runs.map(({ past }) => past)).toEqual([0, 0, 0, 3 * 384]);
  });

  it("reads many options in several runs", async () => {
    const options = Array.from({ length: 80 }, (_, i) => `number ${i}`);
    const { questions } = await score({ state: STATE, questions: [question("Which one?", ...options)] });
    expect(runs.length).toBeGreaterThan(2);
    expect(runs.slice(1).reduce((sum, { logits }) => sum + logits, 0)).toBe(80);
    expect(new Set(questions[0]?.scores).size).toBe(80);
  });

  it("gives a question the same scores, bit for bit, whatever is asked beside it and in whatever order", async () => {
    const alone = await score({ state: STATE, questions: [TOPIC] });
    const beside = await score({ state: STATE, questions: [LATE, TOPIC] });
    expect(beside.questions[1]?.scores).toEqual(alone.questions[0]?.scores);
    const turned = await score({ state: STATE, questions: [{ ...TOPIC, options: TOPIC.options.toReversed() }] });
    expect(turned.questions[0]?.scores).toEqual(alone.questions[0]?.scores.toReversed());
  });

  it("does so for questions of all sizes, whatever shares their runs", async () => {
    const words = fc.integer({ min: 0, max: 9 }).map((count) => "late ".repeat(count));
    const asked = fc
      .record({ instructions: words, options: fc.array(words, { minLength: 1, maxLength: 12 }), withFeatures: fc.boolean() })
      .map(({ instructions, options, withFeatures }): QuestionText => ({ ...question(instructions, ...options), withFeatures }));
    const states = fc.constantFrom("", STATE, "word ".repeat(500));
    await checkWithModel(
      fc.asyncProperty(states, fc.array(asked, { minLength: 2, maxLength: 9 }), async (state, questions) => {
        const together = (await score({ state, questions })).questions;
        for (const [i, each] of questions.entries()) expect(together[i]).toEqual((await score({ state, questions: [each] })).questions[0]);
      }),
      12,
    );
  });

  describe("gives the features of a question that wants them", () => {
    const wanting = (asked: QuestionText): QuestionText => ({ ...asked, withFeatures: true });
    const LONG = "The parcel is late. ".repeat(200);
    /** Means over the tokens of some runs, in the slowest way. The last half of the layers counts. `first` and `most`: which tokens of a run count. */
    const meansOf = (read: typeof values, first = 0, most = Infinity): number[] =>
      [3, 4, 5].flatMap((layer) =>
        Array.from({ length: 12 * 32 }, (_, at) => {
          const [head, i] = [Math.floor(at / 32), at % 32];
          const seen = read.flatMap((run) => {
            const ofLayer = run[layer] ?? new Float32Array();
            const tokens = ofLayer.length / (12 * 32);
            return Array.from({ length: Math.min(tokens, most) }, (_, token) => ofLayer[(head * tokens + first + token) * 32 + i] ?? NaN);
          });
          return seen.reduce((sum, value) => sum + value, 0) / seen.length;
        }),
      );

    // [CLS] what is it about ? [SEP]
    const TOPIC_TOKENS = 7;

    it("which are the mean values of all windows and of the instructions", async () => {
      const { questions } = await score({ state: LONG, questions: [wanting(TOPIC)] });
      const windows = values.slice(0, -1);
      expect(windows).toHaveLength(3);
      expect(questions[0]?.features).toEqual(Float32Array.from([...meansOf(windows), ...meansOf(values.slice(-1), 0, TOPIC_TOKENS)]));
      expect(model.features).toBe(2304);
    });

    it.each([
      [STATE, STATE_TOKENS],
      ["", 2],
    ])("also of a short state, which is read in one run with its question", async (state, stateTokens) => {
      const { questions } = await score({ state, questions: [wanting(TOPIC)] });
      expect(values).toHaveLength(1);
      const parts = [meansOf(values, 0, stateTokens), meansOf(values, stateTokens, TOPIC_TOKENS)];
      expect(questions[0]?.features).toEqual(Float32Array.from(parts.flat()));
    });

    it("whose second half is zeros if there are no instructions", async () => {
      const { questions } = await score({ state: STATE, questions: [wanting(question("", "late", "early"))] });
      expect(questions[0]?.features).toEqual(Float32Array.from([...meansOf(values, 0, STATE_TOKENS), ...new Float32Array(1152)]));
    });

    it.each([STATE, LONG])("and no other, the scores as they are without, bit for bit, alone or beside others", async (state) => {
      const plain = await score({ state, questions: [TOPIC, LATE] });
      const [alone] = (await score({ state, questions: [wanting(TOPIC)] })).questions;
      const beside = await score({ state, questions: [LATE, wanting(TOPIC), wanting(LATE)] });
      expect(plain.questions.map((scored) => scored.features)).toEqual([undefined, undefined]);
      expect(alone?.scores).toEqual(plain.questions[0]?.scores);
      expect(beside.questions[0]).toEqual(plain.questions[1]);
      expect(beside.questions[1]).toEqual(alone);
      expect(beside.questions[2]?.scores).toEqual(plain.questions[1]?.scores);
      expect(beside.questions[2]?.features?.slice(0, 1152)).toEqual(alone?.features?.slice(0, 1152));
      expect(beside.questions[2]?.features).not.toEqual(alone?.features);
      expect(areFreed()).toBe(true);
    });

    it("and otherwise looks at no values", async () => {
      const reads = vi.spyOn(ort.Tensor.prototype, "getData");
      await score({ state: STATE, questions: [TOPIC, LATE] });
      expect(reads).not.toHaveBeenCalled();
      await score({ state: STATE, questions: [wanting(TOPIC), wanting(LATE)] });
      expect(reads).toHaveBeenCalledTimes(3 + 2 * 3);
      reads.mockRestore();
    });

    it.each([STATE, LONG])("and frees everything when its values cannot be looked at", async (state) => {
      const reads = vi.spyOn(ort.Tensor.prototype, "getData").mockRejectedValueOnce(new Error("device lost"));
      const error = await decideError(() => score({ state, questions: [wanting(TOPIC)] }));
      reads.mockRestore();
      expect(error).toMatchObject({ code: "backend_failed" });
      expect(given.length).toBeGreaterThan(0);
      expect(areFreed()).toBe(true);
    });
  });

  it("counts the caller's tokens, each part once", async () => {
    const { inputTokens, questions } = await score({ state: "cat", questions: [question("cat cat", "cat", "cat cat cat")] });
    expect(inputTokens).toBe(1 + 2 + 1 + 3);
    expect(questions[0]?.answerTokens).toEqual(Uint32Array.of(1, 3));
  });

  const GERMAN = "Das Paket ist nie angekommen. Ich will mein Geld zurück. ";
  it.each([
    ["English", STATE, []],
    ["another language", GERMAN, ["unread_text"]],
    ["another language in several windows", GERMAN.repeat(60), ["unread_text"]],
    ["nothing", "", ["empty_state"]],
    ["white space and a mark that is not read", " \n\t\u200b", ["empty_state"]],
  ])("warns about a state of %s as it should", async (_, state, warnings) => {
    expect((await score({ state, questions: [LATE] })).warnings).toEqual(warnings);
  });

  it.each([STATE, "word ".repeat(900)])("frees all keys and values once it has answered", async (state) => {
    await score({ state, questions: [TOPIC, LATE] });
    expect(given.length).toBeGreaterThan(0);
    expect(areFreed()).toBe(true);
  });

  it.each([0, 1, 2])("frees them when run %i fails, too, and goes on with the next batch", async (run) => {
    failAt = run;
    const error = await decideError(() => score({ state: "word ".repeat(600), questions: [TOPIC] }));
    failAt = Infinity;
    expect(error).toMatchObject({ code: "backend_failed", cause: new Error("told to fail") });
    expect(areFreed()).toBe(true);
    expect((await score({ state: STATE, questions: [LATE] })).questions).toHaveLength(1);
  });

  it("ends between two runs when it is aborted", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    expect(await rejection(() => score({ state: STATE, questions: [TOPIC] }, signal))).toEqual(new Error("enough"));
    expect(runs).toHaveLength(0);
    expect(areFreed()).toBe(true);
  });
});

function rejects(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch {
    return true;
  }
}
