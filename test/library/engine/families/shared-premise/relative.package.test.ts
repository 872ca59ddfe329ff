import fc from "fast-check";
import * as ort from "onnxruntime-node";
import { createDecider } from "umpire";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Batch, BatchScores, Precision, QuestionText } from "../../../../../src/library/engine/engine.ts";
import { parseManifest } from "../../../../../src/library/engine/families/families.ts";
import type { SharedPremiseManifest } from "../../../../../src/library/engine/families/shared-premise/manifest.ts";
import { sharedPremise } from "../../../../../src/library/engine/families/shared-premise/family.ts";
import { openPack } from "../../../../../src/library/engine/pack/open-pack.ts";
import type { Model } from "../../../../../src/library/engine/queued-engine.ts";
import type { Runtime } from "../../../../../src/library/engine/runtime.ts";
import { packFiles } from "../../../../../src/library/platform/node/engine.ts";
import { comparedWith, difference, mean } from "../../../../support/golden.ts";
import type { Compared } from "../../../../support/golden.ts";
import { set } from "../../../../support/loose-manifest.ts";
import { checkWithModel } from "../../../../support/model-property.ts";
import { PackCopy } from "../../../../support/pack-copy.ts";
import { relativeGolden, relativePack } from "../../../../support/relative-pack.ts";
import { decideError } from "../../../../support/rejection.ts";

/** How many tokens each run reads, and how many it sees before them. */
const runs: { readonly tokens: number; readonly past: number }[] = [];
const runtime: Runtime = {
  Tensor: ort.Tensor,
  InferenceSession: {
    create: async (graph, options) => {
      const session = await ort.InferenceSession.create(graph, options);
      return {
        run: (feeds, fetches) => {
          runs.push({ tokens: Number(feeds["input_ids"]?.dims[0]), past: Number(feeds["past.0.key"]?.dims[2]) });
          return session.run(feeds, [...fetches]);
        },
        release: () => session.release(),
      };
    },
  },
};

const question = (instructions: string, ...options: string[]): QuestionText => ({
  type: "choice",
  instructions,
  options: options.map((text) => ({ text, sent: [text], answer: text })),
});
const TOPIC = question("What is it about?", "delivery", "cooking", "music");
const LATE = question("Is it late?", "yes", "no");
const STATE = "The parcel arrived two weeks late.";

let pack: string;
beforeAll(async () => {
  pack = await relativePack();
});

describe("a model with relative positions answers as the reference does", () => {
  const compared = async (device: "cpu" | "wasm", precision: Precision): Promise<Compared[]> => {
    await using decider = await createDecider({ model: pack, device, precision, threads: 1 });
    const all: Compared[] = [];
    for (const one of relativeGolden.cases) all.push(...comparedWith(one, await decider.decide(one.request)));
    return all;
  };

  it("which read this pack's weights", async () => {
    const { files } = JSON.parse(await readFile(new URL("manifest.json", pack), "utf8")) as SharedPremiseManifest;
    expect(relativeGolden.madeWith["weightsSha256"]).toBe(files["weights.bin"]?.sha256);
    expect(relativeGolden.madeWith["torch"]).toMatch(/^\d/);
  });

  it.each(["cpu", "wasm"] as const)("in fp32 on %s, within 1e-5 of every probability", async (device) => {
    const answers = await compared(device, "fp32");
    expect(answers.length).toBeGreaterThan(12);
    expect(answers.filter((answer) => !(difference(answer) <= 1e-5))).toEqual([]);
  });

  it.each(["cpu", "wasm"] as const)("in int8 on %s, nearly", async (device) => {
    const answers = await compared(device, "int8");
    expect(mean(answers.map(difference))).toBeLessThan(0.03);
    expect(mean(answers.map(difference))).toBeGreaterThan(0);
  });
});

describe.each(["int8", "fp32"] as const)("a model with relative positions, in %s,", (precision) => {
  let model: Model;
  beforeAll(async () => {
    const opened = await openPack(packFiles(pack), async (text) => (await parseManifest(text)) as SharedPremiseManifest);
    model = await sharedPremise.load(opened, runtime, { device: "cpu", precision, threads: 1 }, 10_000_000);
  });
  afterAll(() => model.release());

  const score = (batch: Batch): Promise<BatchScores> => {
    runs.length = 0;
    return model.score(batch, () => Promise.resolve());
  };

  it("reads small questions in one run, and a short state with its only question", async () => {
    model.forget();
    await score({ state: STATE, questions: [TOPIC, LATE] });
    expect(runs.map(({ past }) => past > 0)).toEqual([false, true]);
    model.forget();
    await score({ state: STATE, questions: [TOPIC] });
    expect(runs).toHaveLength(1);
  });

  it("gives a question the same scores and features, bit for bit, whatever is asked beside it, in whatever order, of a fresh state or a held one", async () => {
    const words = fc.integer({ min: 0, max: 9 }).map((count) => "late ".repeat(count));
    const asked = fc
      .record({ instructions: words, options: fc.array(words, { minLength: 1, maxLength: 12 }), withFeatures: fc.boolean() })
      .map(({ instructions, options, withFeatures }): QuestionText => ({ ...question(instructions, ...options), withFeatures }));
    const states = fc.constantFrom("", STATE, "word ".repeat(300), "the cat ".repeat(500));
    await checkWithModel(
      fc.asyncProperty(states, fc.array(asked, { minLength: 2, maxLength: 7 }), async (state, questions) => {
        model.forget();
        const together = (await score({ state, questions })).questions;
        const held = await model.hold(state, () => Promise.resolve());
        for (const [i, each] of questions.entries()) {
          expect((await score({ state, questions: [each] })).questions[0]).toEqual(together[i]);
          const turned = { ...each, options: each.options.toReversed() };
          expect((await score({ state, questions: [turned] })).questions[0]?.scores).toEqual(together[i]?.scores.toReversed());
        }
        held.release();
        for (const [i, each] of questions.entries()) {
          model.forget();
          expect((await score({ state, questions: [each] })).questions[0]).toEqual(together[i]);
        }
      }),
      25,
    );
  });

  it("bounds what a run of a long state computes: the bias is as large as the scores", async () => {
    model.forget();
    await score({ state: "word ".repeat(16_384), questions: [question("Which?", ...Array.from({ length: 60 }, (_, i) => `number ${i}`))] });
    const asked = runs.filter(({ past }) => past > 0);
    expect(Math.max(...asked.map(({ tokens, past }) => tokens * (past + tokens)))).toBeLessThanOrEqual(2 ** 19);
  });
});

describe("relativePositions that cannot be are refused", () => {
  it.each([
    ["relativePositions", null],
    ["relativePositions", 32],
    ["relativePositions", []],
    ["relativePositions", {}],
    ["relativePositions.buckets", undefined],
    ["relativePositions.buckets", 0],
    ["relativePositions.buckets", "32"],
    ["relativePositions.buckets", 1e300],
    ["relativePositions.furthest", -128],
    ["relativePositions.furthest", 1.5],
    ["relativePositions.furthest", null],
    ["relativePositions.furthest", 2 ** 31],
  ])("%s: %j", async (path, value) => {
    const copy = await PackCopy.make(fileURLToPath(pack));
    await copy.lie(set(path, value));
    await copy.sealManifest();
    const error = await decideError(() => createDecider({ model: copy.url }));
    expect(error).toMatchObject({ code: "model_invalid" });
    expect(error.message).toContain("manifest.json");
  });
});
