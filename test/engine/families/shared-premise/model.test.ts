import * as ort from "onnxruntime-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Batch, BatchScores, OptionText, QuestionText } from "../../../../src/engine/engine.ts";
import { parseManifest } from "../../../../src/engine/families/families.ts";
import { loadSharedPremise } from "../../../../src/engine/families/shared-premise/model.ts";
import { openPack } from "../../../../src/engine/pack/open-pack.ts";
import type { Model } from "../../../../src/engine/queued-engine.ts";
import type { Runtime, Tensor } from "../../../../src/engine/runtime.ts";
import { packFiles } from "../../../../src/platform/node/engine.ts";
import { PACK_URL } from "../../../support/package-root.ts";
import { decideError, rejection } from "../../../support/rejection.ts";

/** The real runtime, which notes each run's rows and fetches, keeps what it gave, and fails when it is told to. */
const runs: { readonly rows: number; readonly isOption: boolean }[] = [];
const given: Tensor[] = [];
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
          runs.push({ rows: Number(feeds["input_ids"].dims[0]), isOption: fetches.length === 1 });
          const results = await session.run(feeds, [...fetches]);
          for (const [name, tensor] of Object.entries(results)) if (name !== "logits") given.push(tensor);
          return results;
        },
        release: () => session.release(),
      };
    },
  },
};

const option = (text: string): OptionText => ({ text, sent: [text], answer: text });
const question = (instructions: string, ...options: string[]): QuestionText => ({ instructions, options: options.map(option) });
const TOPIC = question("What is it about?", "delivery", "cooking", "music");
const LATE = question("Is it late?", "yes", "no");
const STATE = "The parcel arrived two weeks late.";

describe("the shared-premise model", () => {
  let model: Model;
  beforeAll(async () => {
    model = await loadSharedPremise(await openPack(packFiles(PACK_URL.href), parseManifest), runtime, {
      device: "cpu",
      precision: "int8",
      threads: 1,
    });
  });
  afterAll(() => model.release());

  const score = (batch: Batch, signal?: AbortSignal): Promise<BatchScores> => {
    runs.length = 0;
    given.length = 0;
    return model.score(batch, () => (signal?.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve()));
  };
  const areFreed = (): boolean => given.every((tensor) => rejects(() => tensor.data));

  it("reads the state once, each question once, and the options of a question together", async () => {
    await score({ state: STATE, questions: [TOPIC, LATE] });
    expect(runs.map(({ rows, isOption }) => (isOption ? rows : `${rows} read`))).toEqual(["1 read", "1 read", 3, "1 read", 2]);
  });

  it("reads no question without instructions, and equal options once", async () => {
    await score({ state: STATE, questions: [question("", "late", "late", "early")] });
    expect(runs.map(({ rows }) => rows)).toEqual([1, 2]);
  });

  it("reads a long state window by window", async () => {
    await score({ state: "word ".repeat(900), questions: [LATE] });
    expect(runs.filter(({ isOption }) => !isOption)).toHaveLength(3 + 1);
  });

  it("gives a question the same scores, bit for bit, whatever is asked beside it and in whatever order", async () => {
    const alone = await score({ state: STATE, questions: [TOPIC] });
    const beside = await score({ state: STATE, questions: [LATE, TOPIC] });
    expect(beside.questions[1]?.scores).toEqual(alone.questions[0]?.scores);
    const turned = await score({ state: STATE, questions: [{ ...TOPIC, options: TOPIC.options.toReversed() }] });
    expect(turned.questions[0]?.scores).toEqual(alone.questions[0]?.scores.toReversed());
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

  it.each([0, 1, 2, 3])("frees them when run %i fails, too, and goes on with the next batch", async (run) => {
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
