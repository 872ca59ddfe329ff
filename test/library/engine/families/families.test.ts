import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { filesFor, parseManifest } from "../../../../src/library/engine/families/families.ts";
import type { SharedPremiseManifest } from "../../../../src/library/engine/families/shared-premise/manifest.ts";
import { DecideError } from "../../../../src/errors.ts";
import { PACK_URL } from "../../../support/package-root.ts";

interface Json {
  [field: string]: Json;
}

describe("a manifest", () => {
  let text: string;
  beforeAll(async () => {
    text = await readFile(new URL("manifest.json", PACK_URL), "utf8");
  });

  const refusal = async (change: (manifest: Json) => void): Promise<DecideError> => {
    const manifest = JSON.parse(text) as Json;
    change(manifest);
    try {
      await parseManifest(JSON.stringify(manifest));
    } catch (error) {
      if (error instanceof DecideError) return error;
      throw error;
    }
    throw new Error("the manifest was accepted");
  };

  it("of the released pack says what it says unchecked, as a page takes it", async () => {
    expect(JSON.parse(text)).toMatchObject(await parseManifest(text));
  });

  it("of the released pack is read, and names the files of each device", async () => {
    const manifest = await parseManifest(text);
    expect(manifest).toMatchObject({ id: "umpire-2", family: "shared-premise" });
    const files = (graph: string): string[] => ["tokenizer.json", graph, "weights.bin", "features.bin"];
    expect(await filesFor(manifest, { device: "wasm", precision: "int8" })).toEqual(files("int8.onnx"));
    expect(await filesFor(manifest, { device: "webgpu", precision: "fp16" })).toEqual(files("webgpu-fp16.onnx"));
    await expect(filesFor(manifest, { device: "wasm", precision: "fp16" })).rejects.toThrow("The device wasm does not have fp16");
  });

  it("of an unknown family is refused with the families that there are", async () => {
    const { code, message } = await refusal((manifest) => Object.assign(manifest, { family: "oracle" }));
    expect(code).toBe("model_invalid");
    expect(message).toContain('family must be "shared-premise", "pair" or "gliclass", but is a string of 6 characters');
  });

  it("of another format is left to a newer version", async () => {
    expect((await refusal((manifest) => Object.assign(manifest, { format: 2 }))).message).toContain("a newer umpire may read it");
  });

  it("with several mistakes is refused for the first, and says how many more there are", async () => {
    const { message, issues } = await refusal((manifest) => {
      Object.assign(manifest, { id: "" });
      Object.assign(manifest["network"] ?? {}, { heads: 0 });
    });
    expect(message).toContain(
      "id must be a plain name of letters, digits, dots, dashes and underscores, but is an empty string (the first of 2 issues)",
    );
    expect(issues?.map(({ loc }) => loc.join("."))).toEqual(["id", "network.heads"]);
  });

  it("with one mistake has one issue", async () => {
    const count = async (change: (calibration: Json) => void): Promise<number> => {
      const { issues } = await refusal((manifest) => {
        change(manifest["calibration"] ?? {});
      });
      return issues?.length ?? 0;
    };
    expect(await count((calibration) => Object.assign(calibration, { choice: "none" }))).toBe(1);
    expect(await count((calibration) => Object.assign(calibration["choice"]?.[0] ?? {}, { maxOptions: "two" }))).toBe(1);
    expect(await count((calibration) => Object.assign(calibration, { choice: [] }))).toBe(1);
  });

  describe("says which layers features are of", () => {
    const featuresOf = async (features: unknown): Promise<unknown> => {
      const manifest = { ...(JSON.parse(text) as object), ...(features !== undefined && { features }) };
      return ((await parseManifest(JSON.stringify({ ...manifest, features }))) as SharedPremiseManifest).features;
    };
    const refused = async (features: unknown): Promise<string[] | undefined> =>
      (await refusal((manifest) => Object.assign(manifest, { features }))).issues?.map(({ loc }) => loc.join("."));

    it("or the last half of them is taken", async () => {
      expect(await featuresOf({ layers: [0, 5] })).toEqual({ layers: [0, 5] });
      expect(await featuresOf(undefined)).toEqual({ layers: [3, 4, 5] });
    });

    it("and which file holds their basis, for every device", async () => {
      const basis = { file: "features.bin", components: 1152 };
      expect(await featuresOf({ layers: [3, 4, 5], basis })).toEqual({ layers: [3, 4, 5], basis });
      const manifest = await parseManifest(JSON.stringify({ ...(JSON.parse(text) as object), features: { layers: [3, 4, 5], basis } }));
      expect(await filesFor(manifest, { device: "cpu", precision: "int8" })).toContain("features.bin");
      expect(await filesFor(manifest, { device: "webgpu", precision: "fp16" })).toContain("features.bin");
    });

    it.each<[unknown, string]>([
      [null, "layers"],
      [{}, "layers"],
      [{ layers: [] }, "layers"],
      [{ layers: "3" }, "layers"],
      [{ layers: [6] }, "layers.0"],
      [{ layers: [-1] }, "layers.0"],
      [{ layers: [1.5] }, "layers.0"],
      [{ layers: [3, 3] }, "layers"],
      [{ layers: [4, 3] }, "layers"],
      [{ layers: [5], basis: null }, "basis.file,basis.components"],
      [{ layers: [5], basis: { file: "../a", components: 1 } }, "basis.file"],
      [{ layers: [5], basis: { components: 1 } }, "basis.file"],
      [{ layers: [5], basis: { file: "features.bin" } }, "basis.components"],
      [{ layers: [5], basis: { file: "features.bin", components: 0 } }, "basis.components"],
      [{ layers: [5], basis: { file: "features.bin", components: 385 } }, "basis.components"],
      [{ layers: [5], basis: { file: "features.bin", components: "96" } }, "basis.components"],
    ])("but %j is refused", async (features, at) => {
      expect((await refused(features))?.join()).toBe(at.replace(/(^|,)/g, "$1features."));
    });
  });

  describe("may count held-out answers", () => {
    const point = (probability: unknown, answers: unknown, errors: unknown): unknown => ({ probability, answers, errors });
    const riskOf = (points: unknown): unknown => {
      const curves = [{ maxOptions: 2, points }];
      return { choice: curves, noul: curves, score: curves };
    };
    const POINTS = [point(1, 10, 0), point(0.9, 20, 10), point(0.4, 21, 10)];

    it("which are read as they are", async () => {
      const manifest = JSON.parse(text) as { calibration: object };
      Object.assign(manifest.calibration, { risk: riskOf(POINTS) });
      expect((await parseManifest(JSON.stringify(manifest))).calibration.risk).toEqual(riskOf(POINTS));
    });

    it.each<[string, unknown, string]>([
      ["no points", [], "points"],
      ["points that are no list", {}, "points"],
      ["65 points", Array.from({ length: 65 }, (_, i) => point(1 - i / 100, i + 1, 0)), "points"],
      ["a probability of 0", [point(0, 1, 0)], "points.0.probability"],
      ["a probability above 1", [point(1.001, 1, 0)], "points"],
      ["a probability that is a text", [point("1", 1, 0)], "points.0.probability"],
      ["equal probabilities", [point(0.5, 1, 0), point(0.5, 2, 0)], "points"],
      ["probabilities that rise", [point(0.5, 1, 0), point(0.6, 2, 0)], "points"],
      ["no answers", [point(0.5, 0, 0)], "points.0.answers"],
      ["half an answer", [point(0.5, 1.5, 0)], "points.0.answers"],
      ["as many answers as before", [point(0.5, 2, 0), point(0.4, 2, 0)], "points"],
      ["fewer errors than before", [point(0.5, 2, 1), point(0.4, 3, 0)], "points"],
      ["a negative number of errors", [point(0.5, 2, -1)], "points.0.errors"],
      ["more errors than answers", [point(0.5, 2, 3)], "points"],
      ["more errors added than answers", [point(0.5, 2, 0), point(0.4, 3, 2)], "points"],
    ])("but not with %s", async (_, points, at) => {
      const { issues } = await refusal((manifest) => Object.assign(manifest["calibration"] ?? {}, { risk: riskOf(points) }));
      expect(issues?.[0]?.loc.join(".")).toBe(`calibration.risk.choice.0.${at}`);
      // Once for each type of question, and no mistake twice.
      expect(issues?.map(({ loc }) => loc[2])).toEqual(["choice", "noul", "score"]);
    });

    it("of some types only", async () => {
      const manifest = JSON.parse(text) as { calibration: object };
      const risk = { score: [{ maxOptions: 10, points: POINTS }] };
      Object.assign(manifest.calibration, { risk, accuracy: {} });
      expect((await parseManifest(JSON.stringify(manifest))).calibration).toMatchObject({ risk, accuracy: {} });
    });

    it("but not with buckets that do not ascend", async () => {
      const issuesOf = async (risk: unknown): Promise<string[] | undefined> =>
        (await refusal((manifest) => Object.assign(manifest["calibration"] ?? {}, { risk }))).issues?.map(({ loc }) => loc.join("."));
      const curve = { maxOptions: 2, points: POINTS };
      expect(await issuesOf({ choice: [curve, curve], noul: [curve], score: [] })).toEqual([
        "calibration.risk.choice",
        "calibration.risk.score",
      ]);
    });
  });

  it("whose segments are longer than its network reads is refused", async () => {
    expect((await refusal((manifest) => Object.assign(manifest["limits"] ?? {}, { windowTokens: 10_000 }))).message).toContain(
      "network.positions",
    );
    expect((await refusal((manifest) => Object.assign(manifest["limits"] ?? {}, { overlapTokens: 382 }))).message).toContain(
      "overlapTokens",
    );
  });
});
