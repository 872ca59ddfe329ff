import { copyFile, readFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { GLICLASS_MARKS, gliclassKind } from "../../src/tools/models/model-kinds.ts";
import { sealPack } from "../../src/tools/models/replace-pack.ts";
import type { Calibration } from "../../src/library/engine/engine.ts";
import { makeHubTokenizer } from "../../src/library/tokenizer/hub-tokenizer.ts";
import { tempDir } from "./temp-dir.ts";

/** What the authors' package answers, with labels in Umpire's order: test/fixtures/make-gliclass. */
export interface RecordedAnswer {
  readonly text: string;
  readonly labels: readonly string[];
  readonly prompt: string;
  readonly promptFirst: boolean;
  /** Of the text; the logits are the highest of each label's. */
  readonly windows: number;
  readonly logits: readonly number[];
}

export const GLICLASS_MODELS = ["gliclass", "gliclass-modernbert"] as const;

export type GliclassModel = (typeof GLICLASS_MODELS)[number];

/** A manifest as untyped JSON, so that tests can change it. */
export type LooseManifest = Record<string, unknown>;

const UNCALIBRATED: Calibration = {
  uncalibrated: true,
  choice: [{ maxOptions: 255, temperature: 1 }],
  noul: { temperature: 1, bias: 0 },
  score: { temperature: 1 },
};

const fixture = (model: GliclassModel, path: string): URL => new URL(`../fixtures/models/${model}/${path}`, import.meta.url);

async function readJson<T>(url: URL): Promise<T> {
  return JSON.parse(await readFile(url, "utf8")) as T;
}

interface Expected {
  readonly windowTokens: number;
  readonly overlapTokens: number;
  readonly answers: readonly RecordedAnswer[];
}

export async function recordedAnswers(model: GliclassModel): Promise<readonly RecordedAnswer[]> {
  return (await readJson<Expected>(fixture(model, "expected.json"))).answers;
}

/** A sealed pack of a tiny model, in a folder of its own. Its self-test is a recorded answer. */
export class GliclassPack {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param change what is different in the manifest, which is sealed as it then is */
  static async make(model: GliclassModel, change: LooseManifest = {}): Promise<GliclassPack> {
    const folder = tempDir();
    const names = { "tokenizer.json": "tokenizer.json", "fp32.onnx": "onnx/model.onnx" };
    const files: { [name: string]: object } = {};
    for (const [name, path] of Object.entries(names)) {
      await copyFile(fixture(model, path), join(folder, name));
      const bytes = await readFile(join(folder, name));
      files[name] = { sizeBytes: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
    }
    await sealPack(folder, { ...(await manifestOf(model, change["promptFirst"] !== false)), files, ...change });
    return new GliclassPack(folder);
  }

  get url(): string {
    return `${pathToFileURL(this.#folder).href}/`;
  }
}

async function manifestOf(model: GliclassModel, promptFirst: boolean): Promise<LooseManifest> {
  const { windowTokens, overlapTokens, answers } = await readJson<Expected>(fixture(model, "expected.json"));
  const config = await readJson<LooseManifest>(fixture(model, "config.json"));
  const tokenizer = makeHubTokenizer(await readJson(fixture(model, "tokenizer.json")), GLICLASS_MARKS);
  const { family, fields, limits } = gliclassKind(config, tokenizer);
  const known = answers.find((answer) => answer.promptFirst === promptFirst && answer.prompt !== "" && answer.text.length > 20);
  if (known === undefined) throw new Error(`${model} has no recorded answer for a self-test`);
  return {
    format: 1,
    id: model,
    family,
    description: "A tiny model with random weights.",
    releaseDate: "2026-11-23",
    licence: "Apache-2.0",
    ...fields,
    limits: { ...limits, windowTokens, overlapTokens },
    calibration: UNCALIBRATED,
    selfTest: {
      state: known.text,
      instructions: known.prompt,
      options: known.labels,
      scores: { fp32: known.logits },
      tolerance: { int8: 1e-4, fp32: 1e-4 },
    },
    tokenizer: { file: "tokenizer.json" },
    graph: { inputs: ["input_ids", "attention_mask"], output: "logits" },
    graphs: { fp32: { file: "fp32.onnx" } },
  };
}
