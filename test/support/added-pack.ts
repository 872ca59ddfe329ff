import { createHash } from "node:crypto";
import { copyFile, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as ort from "onnxruntime-node";
import { sealPack } from "../../src/tools/models/replace-pack.ts";
import type { Precision } from "../../src/library/engine/engine.ts";
import { loadModel, parseManifest } from "../../src/library/engine/families/families.ts";
import type { Manifest } from "../../src/library/engine/families/families.ts";
import type { PairLabel, PairManifest } from "../../src/library/engine/families/pair/manifest.ts";
import { openPack } from "../../src/library/engine/pack/open-pack.ts";
import type { ModelPack } from "../../src/library/engine/pack/open-pack.ts";
import { packFiles } from "../../src/library/platform/node/engine.ts";
import { packageRootPath } from "./package-root.ts";
import { tempDir } from "./temp-dir.ts";
import { TEXTS } from "./texts.ts";

/** The tiny models in hub layout: test/fixtures/README.md. */
const MODELS = join(packageRootPath, "test/fixtures/models");

export const fixtureModel = (name: string): string => join(MODELS, name);

type Changes = { -readonly [Name in keyof PairManifest]?: PairManifest[Name] };

const LABELS: { readonly [spelling: string]: PairLabel } = {
  entailment: "entailment",
  neutral: "neutral",
  contradiction: "contradiction",
  not_entailment: "not_entailment",
};

/** Which file of a hub layout a graph of each precision is. */
const GRAPHS = { int8: "model_quantized.onnx", fp32: "model.onnx", fp16: "model_fp16.onnx" } as const;

/**
 * A pack of a fixture in a folder of its own, made without the code that adds models: tests of the engine can change whatever they like.
 */
export class AddedPack {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * @param name the fixture's
   * @param changes fields of the manifest
   */
  static async make(name: string, changes: Changes = {}): Promise<AddedPack> {
    const pack = new AddedPack(tempDir());
    await pack.#write(fixtureModel(name), changes);
    return pack;
  }

  /** The folder's URL. */
  get url(): string {
    return `${pathToFileURL(this.folder).href}/`;
  }

  /** The pack, opened without its self-test. */
  open(): Promise<ModelPack<Manifest>> {
    return openPack(packFiles(this.url), parseManifest);
  }

  async #write(source: string, changes: Changes): Promise<void> {
    const onnx = await readdir(join(source, "onnx"));
    const precisions = (Object.keys(GRAPHS) as Precision[]).filter((precision) => onnx.includes(GRAPHS[precision]));
    for (const file of onnx) await copyFile(join(source, "onnx", file), join(this.folder, file));
    await copyFile(join(source, "tokenizer.json"), join(this.folder, "tokenizer.json"));
    const config = JSON.parse(await readFile(join(source, "config.json"), "utf8")) as { readonly id2label: Record<string, string> };
    const manifest: Omit<PairManifest, "files" | "selfTest"> & Changes = {
      id: "tiny-pair",
      family: "pair",
      description: "A tiny model with random weights.",
      releaseDate: "2026-11-23",
      licence: "Apache-2.0",
      source: { name: "tests/tiny-pair" },
      // The fixtures have 128 positions.
      limits: { stateTokens: 4096, windowTokens: 128, overlapTokens: 32, instructionsTokens: 32, optionTokens: 40 },
      calibration: {
        uncalibrated: true,
        choice: [{ maxOptions: 255, temperature: 1 }],
        noul: { temperature: 1, bias: 0 },
        score: { temperature: 1 },
      },
      labels: Object.values(config.id2label).map((label) => LABELS[label.toLowerCase()] ?? "neutral"),
      tokenizer: { file: "tokenizer.json" },
      graph: { inputs: await inputsOf(join(this.folder, GRAPHS.fp32)), output: "logits" },
      graphs: Object.fromEntries(precisions.map((precision) => [precision, graphFilesOf(GRAPHS[precision], onnx)])),
      templates: { choice: "{instructions} {option}", noul: "{instructions} {option}", score: "{instructions} {option}" },
      ...changes,
    };
    const selfTest = {
      state: TEXTS.late,
      instructions: "When did it come?",
      options: ["late", "on time", "never"],
      scores: { int8: [0, 0, 0], fp32: [0, 0, 0] },
      tolerance: { int8: 0.05, fp32: 0.001, fp16: 0.05 },
    };
    const files = await filesIn(this.folder);
    const sealed = { format: 1, ...manifest, selfTest, files };
    await sealPack(this.folder, sealed);
    const scores: Record<string, number[]> = {};
    for (const precision of precisions.filter((each) => each !== "fp16")) scores[precision] = await this.#scoresIn(precision);
    await sealPack(this.folder, { ...sealed, selfTest: { ...selfTest, scores } });
  }

  async #scoresIn(precision: Precision): Promise<number[]> {
    const pack = await this.open();
    const model = await loadModel(pack, ort, { device: "cpu", precision, threads: 1 });
    const { state, instructions, options } = pack.manifest.selfTest;
    const texts = options.map((text) => ({ text, sent: [], answer: null }));
    try {
      const { questions } = await model.score({ state, questions: [{ type: "choice", instructions, options: texts }] }, () =>
        Promise.resolve(),
      );
      return [...(questions[0]?.scores ?? [])];
    } finally {
      await model.release();
    }
  }
}

function graphFilesOf(file: string, all: readonly string[]): { file: string; externalData?: string[] } {
  const data = `${file}_data`;
  return { file, ...(all.includes(data) && { externalData: [data] }) };
}

async function inputsOf(graph: string): Promise<PairManifest["graph"]["inputs"]> {
  const session = await ort.InferenceSession.create(graph);
  const { inputNames } = session;
  await session.release();
  return inputNames as PairManifest["graph"]["inputs"][number][];
}

async function filesIn(folder: string): Promise<PairManifest["files"]> {
  const names = (await readdir(folder)).sort();
  const listed = names.map(async (name) => {
    const { size: sizeBytes } = await stat(join(folder, name));
    return [
      name,
      {
        sizeBytes,
        sha256: createHash("sha256")
          .update(await readFile(join(folder, name)))
          .digest("hex"),
      },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(listed));
}
