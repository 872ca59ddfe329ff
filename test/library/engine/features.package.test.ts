import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Batch, Engine, EngineOptions, Precision, QuestionScores } from "../../../src/library/engine/engine.ts";
import { loadNodeEngine, packFiles } from "../../../src/library/platform/node/engine.ts";
import { nodePlatform } from "../../../src/library/platform/node/platform.ts";
import { nodeRuntimes } from "../../../src/library/platform/node/runtimes.ts";
import { startWorkerEngine } from "../../../src/library/worker/worker-engine.ts";
import { basisFile } from "../../support/basis-file.ts";
import type { BasisPart } from "../../support/basis-file.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { PackCopy } from "../../support/pack-copy.ts";
import type { LooseManifest } from "../../support/pack-copy.ts";
import { decideError } from "../../support/rejection.ts";

const DIST = new URL("dist/", PACKAGE_ROOT);
const platform = nodePlatform(DIST);
const OPTIONS: EngineOptions = { device: "cpu", threads: 1 };
const VALUES = 3 * 384;
const COMPONENTS = 8;

const option = (text: string): Batch["questions"][number]["options"][number] => ({ text, sent: [text], answer: text });
const BATCH: Batch = {
  state: "The parcel arrived two weeks late, and the box was open.",
  questions: [{ type: "choice", instructions: "What is it about?", options: [option("delivery"), option("cooking")], withFeatures: true }],
};

/** A basis of its own for each part, without any meaning. */
const BASIS: readonly BasisPart[] = [1, 2].map((part) => ({
  mean: Array.from({ length: VALUES }, (_, i) => Math.fround(Math.sin(part * i) / 4)),
  components: Array.from({ length: COMPONENTS }, (_, c) =>
    Array.from({ length: VALUES }, (_, i) => ((part * 53 + c * 29 + i * 17) % 255) - 127),
  ),
  scales: Array.from({ length: COMPONENTS }, (_, c) => Math.fround(0.0005 / (c + part))),
}));

let pack: PackCopy;
let engines: Engine[] = [];
/** The released pack without its basis. */
beforeEach(async () => {
  pack = await PackCopy.make();
  await pack.lie((manifest) => {
    delete manifest["features"];
    delete (manifest["selfTest"] as LooseManifest)["features"];
    delete manifest.files["features.bin"];
  });
  await pack.seal();
});
afterEach(async () => {
  for (const engine of engines) await engine.close();
  engines = [];
});

const load = async (precision: Precision = "int8"): Promise<Engine> => {
  const engine = await loadNodeEngine(packFiles(pack.url), nodeRuntimes(DIST), { ...OPTIONS, precision });
  engines.push(engine);
  return engine;
};

async function ask(engine: Engine, batch = BATCH): Promise<QuestionScores> {
  const [scored] = (await engine.score(batch)).questions;
  if (scored === undefined) throw new Error("nothing was scored");
  return scored;
}

/** Gives the pack a basis, and seals it. */
async function addBasis(bytes: Uint8Array = basisFile(BASIS), change: (manifest: LooseManifest) => void = () => undefined): Promise<void> {
  await pack.write("features.bin", bytes);
  await pack.lie((manifest) => {
    manifest["features"] = { layers: [3, 4, 5], basis: { file: "features.bin", components: COMPONENTS } };
    manifest.files["features.bin"] = { sizeBytes: 0, sha256: "" };
    change(manifest);
  });
  await pack.seal();
}

/** What a basis makes of the means of the values. */
function whitened(means: ArrayLike<number>): number[] {
  return BASIS.flatMap(({ mean, components, scales }, part) =>
    scales.map((scale, c) => {
      const product = (components[c] ?? []).reduce(
        (sum, weight, i) => sum + weight * ((means[part * VALUES + i] ?? NaN) - (mean[i] ?? NaN)),
        0,
      );
      return scale * product;
    }),
  );
}

describe("an engine", () => {
  it("says its pack's seal and how many features a question has, and gives them on both sides of the thread line", async () => {
    const inline = await load();
    const worker = await startWorkerEngine(platform.startWorker(undefined), pack.url, OPTIONS);
    engines.push(worker);
    const seal = createHash("sha256")
      .update(await pack.read("manifest.json"))
      .digest("hex");
    for (const engine of [inline, worker]) expect(engine.info).toMatchObject({ seal, features: 2 * VALUES });
    const scored = await ask(inline);
    expect(scored.features).toHaveLength(2 * VALUES);
    expect(await ask(worker)).toEqual(scored);
  });

  it("gives them the same, bit for bit, while other calls wait, and when it is asked again", async () => {
    const engine = await load();
    const alone = await ask(engine);
    const [, again, other] = await Promise.all([
      ask(engine, { ...BATCH, state: "Another." }),
      ask(engine),
      ask(engine, { ...BATCH, state: "" }),
    ]);
    expect(again).toEqual(alone);
    expect(other.features).not.toEqual(alone.features);
  });
});

describe("a pack with a basis", () => {
  it("has its features whitened, and the same scores", async () => {
    const plain = await ask(await load());
    await addBasis();
    const engine = await load();
    const { scores, features = [] } = await ask(engine);
    expect(engine.info.features).toBe(2 * COMPONENTS);
    expect(scores).toEqual(plain.scores);
    const expected = whitened(plain.features ?? []);
    expect(features).toHaveLength(expected.length);
    expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(0.05);
    expected.forEach((feature, i) => {
      expect(Math.abs(feature - (features[i] ?? NaN))).toBeLessThan(1e-5);
    });
  });

  it("is refused when a bit of the basis is flipped, or it is missing", async () => {
    await addBasis();
    const bytes = await pack.read("features.bin");
    await pack.write(
      "features.bin",
      Uint8Array.from(bytes, (byte, i) => (i === 5000 ? byte ^ 1 : byte)),
    );
    expect(await decideError(() => load())).toMatchObject({
      code: "model_invalid",
      message: expect.stringContaining("features.bin") as string,
    });
    await pack.delete("features.bin");
    expect(await decideError(() => load())).toMatchObject({
      code: "model_invalid",
      message: expect.stringContaining("features.bin") as string,
    });
  });

  it.each([-1, 1])("is refused when the basis has another size, under whatever seal: %i byte", async (more) => {
    const bytes = basisFile(BASIS);
    await addBasis(Uint8Array.from({ length: bytes.length + more }));
    expect(await decideError(() => load())).toMatchObject({
      code: "model_invalid",
      message: expect.stringContaining("features.bin") as string,
    });
  });

  it("is refused when the basis has numbers that are none", async () => {
    await addBasis(new Uint8Array(basisFile(BASIS).length).fill(255));
    expect(await decideError(() => load())).toMatchObject({
      code: "model_invalid",
      message: expect.stringContaining("self-test") as string,
    });
  });

  it.each<Precision>(["int8", "fp32"])("is tried by its self-test in %s, if that states features", async (precision) => {
    const { selfTest } = JSON.parse(new TextDecoder().decode(await pack.read("manifest.json"))) as {
      selfTest: { state: string; instructions: string; options: string[] };
    };
    const batch = {
      ...selfTest,
      questions: [{ ...selfTest, type: "choice" as const, options: selfTest.options.map(option), withFeatures: true }],
    };
    await addBasis();
    const features = [...((await ask(await load(precision), batch)).features ?? [])];
    const stated = features.slice(0, COMPONENTS + 3);
    const state =
      (int8: readonly number[], fp32: readonly number[]) =>
      (manifest: LooseManifest): void => {
        Object.assign(manifest["selfTest"] as object, { features: { int8, fp32 } });
      };
    await addBasis(basisFile(BASIS), state(stated, stated));
    await load(precision);
    // One of the question's part, far enough from what it should be.
    const wrong = stated.with(COMPONENTS + 2, (stated[COMPONENTS + 2] ?? 0) + 0.06);
    await addBasis(basisFile(BASIS), precision === "int8" ? state(wrong, stated) : state(stated, wrong));
    expect(await decideError(() => load(precision))).toMatchObject({
      code: "model_invalid",
      message: expect.stringContaining("self-test") as string,
    });
    await addBasis(basisFile(BASIS.toReversed()), state(stated, stated));
    expect(await decideError(() => load(precision))).toMatchObject({
      code: "model_invalid",
      message: expect.stringContaining("self-test") as string,
    });
  });

  it("is refused when its self-test states more features than there are, or what is no number", async () => {
    await addBasis(basisFile(BASIS), (manifest) => {
      const none = Array.from({ length: 2 * COMPONENTS + 1 }, () => 0);
      Object.assign(manifest["selfTest"] as object, { features: { int8: none, fp32: none }, tolerance: { int8: 1e9, fp32: 1e9 } });
    });
    expect(await decideError(() => load())).toMatchObject({
      code: "model_invalid",
      message: expect.stringContaining("self-test") as string,
    });
    await addBasis(basisFile(BASIS), (manifest) => {
      Object.assign(manifest["selfTest"] as object, { features: { int8: ["0"], fp32: [] } });
    });
    expect(await decideError(() => load())).toMatchObject({
      code: "model_invalid",
      message: expect.stringContaining("selfTest.features") as string,
    });
  });
});
