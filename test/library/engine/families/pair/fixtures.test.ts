import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as ort from "onnxruntime-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entailmentAt } from "../../../../../src/library/engine/batch.ts";
import { readTokenizer } from "../../../../../src/library/engine/encoders/encoder.ts";
import type { PairManifest } from "../../../../../src/library/engine/families/pair/manifest.ts";
import { pair, toSequence } from "../../../../../src/library/engine/families/pair/family.ts";
import type { ModelPack } from "../../../../../src/library/engine/pack/open-pack.ts";
import type { Model } from "../../../../../src/library/engine/queued-engine.ts";
import { AddedPack, fixtureModel } from "../../../../support/added-pack.ts";

// What transformers and its tokenizers give for pairs of texts, in tiny models of each architecture: test/fixtures/README.md.

interface Pair {
  readonly premise: string;
  readonly hypothesis: string;
}

interface Expected {
  /** null for a pair with more tokens than the model has positions. */
  readonly logits: readonly (readonly number[] | null)[];
  readonly rows: readonly { readonly pair: number; readonly inputIds: readonly number[]; readonly tokenTypeIds: readonly number[] }[];
}

const json = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, "utf8")) as T;
const { pairs } = await json<{ readonly pairs: readonly Pair[] }>(fixtureModel("pairs.json"));

const MODELS = ["bert", "distilbert", "roberta", "xlm-roberta", "deberta-v2", "deberta-v3", "modernbert", "mobilebert", "bart"];
/** The hypothesis is the pair's, and may have nearly all of the fixtures' 128 tokens. */
const CHANGES = {
  templates: { choice: "{option}", noul: "{option}", score: "{option}" },
  limits: { stateTokens: 4096, windowTokens: 128, overlapTokens: 32, instructionsTokens: 18, optionTokens: 70 },
} as const;

describe.each(MODELS)("a model of the architecture %s", (name) => {
  let opened: ModelPack<PairManifest>;
  let model: Model;
  let expected: Expected;
  beforeAll(async () => {
    const pack = await AddedPack.make(name, CHANGES);
    opened = (await pack.open()) as ModelPack<PairManifest>;
    model = await pair.load(opened, ort, { device: "cpu", precision: "fp32", threads: 1 });
    expected = await json(join(fixtureModel(name), "expected.json"));
  });
  afterAll(() => model.release());

  const scoreOf = async ({ premise, hypothesis }: Pair): Promise<number> => {
    const options = [{ text: hypothesis, sent: [hypothesis], answer: null }];
    const batch = { state: premise, questions: [{ type: "choice", instructions: "", options }] } as const;
    const { questions } = await model.score(batch, () => Promise.resolve());
    return questions[0]?.scores[0] ?? NaN;
  };

  it("scores every pair within 1e-4 of what transformers' logits say", async () => {
    const wrong: unknown[] = [];
    let compared = 0;
    for (const [i, logits] of expected.logits.entries()) {
      const pair = pairs[i];
      if (logits === null || pair === undefined) continue;
      const score = await scoreOf(pair);
      compared++;
      const wanted = entailmentAt(Float32Array.from(logits), 0, opened.manifest.labels);
      // The fixtures' logits have five decimals.
      if (!(Math.abs(score - wanted) <= 1e-4)) wrong.push({ i, score, wanted });
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(180);
  });

  it("reads pairs as rows of the same tokens and token types", async () => {
    const { tokenize, pair: around } = await readTokenizer(opened);
    for (const { pair, inputIds, tokenTypeIds } of expected.rows) {
      const { premise = "", hypothesis = "" } = pairs[pair] ?? {};
      const sequence = toSequence({ window: tokenize(premise), hypothesis: tokenize(hypothesis) }, around);
      expect(sequence).toEqual({ ids: inputIds, types: tokenTypeIds });
    }
    expect(expected.rows.length).toBeGreaterThan(10);
  });
});

it("the fixtures have their labels in all six orders, and two labels, too", async () => {
  const orders = await Promise.all(
    MODELS.map(async (name) => {
      const { id2label } = await json<{ readonly id2label: object }>(join(fixtureModel(name), "config.json"));
      return Object.values(id2label).join().toLowerCase();
    }),
  );
  expect(new Set(orders).size).toBe(7);
});
