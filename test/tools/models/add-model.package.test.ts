import { cp, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { addModel } from "../../../src/tools/models/add-model.ts";
import type { Manifest } from "../../../src/library/engine/families/families.ts";
import { verifyModel } from "../../../src/tools/models/self-test.ts";
import { openModelFolder } from "../../../src/tools/models/model-source.ts";
import { checkAddedModels } from "../../../src/tools/doctor/model.ts";
import type { Finding } from "../../../src/tools/doctor/machine.ts";
import type { Device } from "../../../src/library/engine/engine.ts";
import { createDeciderOn } from "../../../src/library/decider/create-decider.ts";
import { nodePlatform } from "../../../src/library/platform/node/platform.ts";
import type { Platform } from "../../../src/library/platform/platform.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { ModelFolder } from "./model-folder.ts";

const DIST = new URL("dist/", PACKAGE_ROOT);
let home: string;
let platform: Platform;

beforeAll(() => {
  home = tempDir();
  platform = nodePlatform(DIST, undefined, { UMPIRE_HOME: home });
});

async function added(model: ModelFolder, id: string, graphs: readonly string[] = ["onnx/model.onnx"]): Promise<{ folder: string; manifest: Manifest }> {
  const adding = { dist: DIST, confirm: () => Promise.resolve(), onStep: () => undefined };
  const source = await openModelFolder(model.path);
  const folder = join(home, "models", id);
  return { folder, manifest: await addModel(source, { id, folder, graphs }, adding) };
}

// GLiClass's encoder is a DeBERTa: wasm is tried with one of them.
test.each<[string, readonly Device[]]>([
  ["xlm-roberta", ["cpu", "wasm"]],
  ["deberta-v2", ["cpu"]],
  ["gliclass", ["cpu", "wasm"]],
  // Its file does not say that the tokens which mark labels are special.
  ["gliclass-modernbert", ["cpu"]],
])("%s: its self-test and goldens hold on %j", async (fixture, devices) => {
  const { folder, manifest } = await added(await ModelFolder.make(fixture), fixture);
  expect((await readdir(folder)).sort()).toEqual([...Object.keys(manifest.files), "manifest.json", "manifest.json.sha256"].sort());
  expect(Object.keys(manifest.files)).toContain("goldens.json");
  const model = { id: fixture, url: "", description: "", releaseDate: "", isBuiltIn: false, folder, manifest };
  for (const device of devices) {
    const verified = await verifyModel(DIST, model, { device });
    expect(verified).toMatchObject({ device, precision: "fp32", asked: 12 });
    expect(verified.problem).toBeUndefined();
    expect(verified.maxDifference).toBeLessThan(0.002);
  }
});

test("a snapshot in a hub's cache is made of links, which are followed", async () => {
  const cache = tempDir();
  const model = await ModelFolder.make();
  const snapshot = join(cache, "snapshots", "1234");
  for (const folder of [dirname(snapshot), join(cache, "blobs")]) await mkdir(folder);
  await cp(model.path, snapshot, { recursive: true });
  await rename(join(snapshot, "tokenizer.json"), join(cache, "blobs", "abcd"));
  await symlink("../../blobs/abcd", join(snapshot, "tokenizer.json"));
  const source = await openModelFolder(snapshot);
  expect(await readFile(await source.fetch("tokenizer.json"), "utf8")).toContain("WordPiece");
});

test("a pack may have several precisions, each with scores of its own", async () => {
  const { folder, manifest } = await added(await ModelFolder.make("bert"), "both", ["onnx/model.onnx", "onnx/model_quantized.onnx"]);
  expect(Object.keys(manifest.selfTest.scores).sort()).toEqual(["fp32", "int8"]);
  const { questions } = JSON.parse(await readFile(join(folder, "goldens.json"), "utf8")) as {
    questions: { type: string; scores: object }[];
  };
  expect(new Set(questions.map(({ type }) => type))).toEqual(new Set(["choice", "noul", "score"]));
  expect(questions.every(({ scores }) => Object.keys(scores).length === 2)).toBe(true);
});

test("half precision goes beside full precision, by whose scores it is tested", async () => {
  const { manifest } = await added(await ModelFolder.make("roberta"), "half", ["onnx/model.onnx", "onnx/model_fp16.onnx"]);
  expect(Object.keys(manifest.graphs)).toEqual(["fp32", "fp16"]);
  expect(Object.keys(manifest.selfTest.scores)).toEqual(["fp32"]);
});

test("positions that a model counts from its padding on are not given to texts", async () => {
  const model = await ModelFolder.make("roberta");
  await model.config((config) => (config["max_position_embeddings"] = 130));
  expect((await added(model, "positions")).manifest.limits.windowTokens).toBe(128);
});

test("deciders take it by its id, list it, and stay with the built-in one", async () => {
  await added(await ModelFolder.make("bert"), "mine");
  await using decider = createDeciderOn(platform, { inline: true });
  const request = { state: "It rains.", questions: { wet: { type: "noul", instructions: "Is it wet?" } } } as const;
  expect((await decider.decide({ ...request, model: "mine" })).model).toBe("mine");
  expect((await decider.decide({ ...request, model: "latest" })).model).toBe("umpire-2");
  const models = await decider.models();
  expect(models.find(({ id }) => id === "mine")).toMatchObject({ isDefault: false });
  expect(models.find(({ isDefault }) => isDefault)?.id).toBe("umpire-2");
  await using own = createDeciderOn(platform, { model: "mine", inline: true });
  expect(await own.info()).toMatchObject({ model: "mine", source: { name: "tiny-model" }, calibration: { uncalibrated: true } });
});

test("the doctor finds a broken one, and says what to do", async () => {
  const other = tempDir();
  const model = await ModelFolder.make("bert");
  const source = await openModelFolder(model.path);
  for (const id of ["broken", "whole"])
    await addModel(
      source,
      { id, folder: join(other, "models", id), graphs: ["onnx/model.onnx"] },
      { dist: DIST, confirm: () => Promise.resolve(), onStep: () => undefined },
    );
  await rm(join(other, "models", "broken", "tokenizer.json"));
  const findings: Finding[] = [];
  const env = { UMPIRE_HOME: other };
  for await (const finding of checkAddedModels(nodePlatform(DIST, undefined, env), DIST, env)) findings.push(finding);
  expect(findings.map(({ name, status }) => [name, status])).toEqual(
    expect.arrayContaining([
      ["whole", "ok"],
      ["broken", "problem"],
    ]),
  );
  expect(findings.find(({ name }) => name === "broken")?.advice).toMatch(/umpire models remove broken, then umpire models add tiny-model/u);
});

test("a MobileBERT gives an option the score that it gives it alone, whatever stands beside it", async () => {
  const { folder, manifest } = await added(await ModelFolder.make("mobilebert"), "mobile");
  expect(manifest).toMatchObject({ family: "pair", graph: { isUnpadded: true } });
  await using decider = createDeciderOn(platform, { model: pathToFileURL(`${folder}/`), inline: true });
  const gap = async (...others: string[]): Promise<number> => {
    const criteria = Object.fromEntries(["late", "soon", ...others].map((key) => [key, null]));
    const { answers } = await decider.decide({
      state: "It came on Monday.",
      questions: { q: { type: "choice", instructions: "", criteria } },
    });
    const { late = NaN, soon = NaN } = answers.q.probabilities as Readonly<Record<string, number>>;
    return Math.log(late / soon);
  };
  expect(await gap("a little later than that", "after the third reminder")).toBeCloseTo(await gap(), 3);
});
