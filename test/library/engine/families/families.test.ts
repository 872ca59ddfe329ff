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

  describe("may say from which probability on answers can be acted on", () => {
    const at = (maxErrorRate: unknown, probability: unknown): unknown => ({ maxErrorRate, probability });
    const thresholdsOf = (byRate: unknown): unknown => {
      const buckets = [{ maxOptions: 2, byRate }];
      return { choice: buckets, noul: { yes: byRate, no: byRate }, score: buckets };
    };
    const BY_RATE = [at(0.05, 0.97), at(0.1, 0.9), at(0.2, 0.9)];
    const calibrationWith = async (fields: object): Promise<unknown> => {
      const manifest = JSON.parse(text) as { calibration: object };
      Object.assign(manifest.calibration, fields);
      return (await parseManifest(JSON.stringify(manifest))).calibration;
    };

    it("which is read as it is, also of some types and answers only", async () => {
      for (const thresholds of [thresholdsOf(BY_RATE), { noul: { yes: BY_RATE } }, { score: [{ maxOptions: 10, byRate: BY_RATE }] }])
        expect(await calibrationWith({ thresholds, accuracy: {} })).toMatchObject({ thresholds, accuracy: {} });
    });

    it("and counts of answers, which packs had before, promise nothing", async () => {
      const risk = { noul: [{ maxOptions: 2, points: [{ probability: 0.9, answers: 100, errors: 0 }] }] };
      expect(await calibrationWith({ risk })).not.toHaveProperty("risk");
    });

    it.each<[string, unknown, string]>([
      ["no thresholds", [], ""],
      ["thresholds that are no list", {}, ""],
      ["65 thresholds", Array.from({ length: 65 }, (_, i) => at((i + 1) / 100, 0.9)), ""],
      ["a probability of 0", [at(0.1, 0)], ".0.probability"],
      ["a probability of 1", [at(0.1, 1)], ".0.probability"],
      ["a probability that is a text", [at(0.1, "0.9")], ".0.probability"],
      ["an error rate of 0", [at(0, 0.9)], ".0.maxErrorRate"],
      ["an error rate of 1", [at(1, 0.9)], ".0.maxErrorRate"],
      ["equal error rates", [at(0.1, 0.9), at(0.1, 0.8)], ""],
      ["error rates that fall", [at(0.2, 0.9), at(0.1, 0.8)], ""],
      ["a higher probability for more errors", [at(0.1, 0.8), at(0.2, 0.9)], ""],
    ])("but not with %s", async (_, byRate, place) => {
      const { issues } = await refusal((manifest) => Object.assign(manifest["calibration"] ?? {}, { thresholds: thresholdsOf(byRate) }));
      expect(issues?.map(({ loc }) => loc.join("."))).toEqual(
        ["choice.0.byRate", "noul.yes", "noul.no", "score.0.byRate"].map((list) => `calibration.thresholds.${list}${place}`),
      );
    });

    it("but not with buckets that do not ascend", async () => {
      const bucket = { maxOptions: 2, byRate: BY_RATE };
      const thresholds = { choice: [bucket, bucket], score: [] };
      const { issues } = await refusal((manifest) => Object.assign(manifest["calibration"] ?? {}, { thresholds }));
      expect(issues?.map(({ loc }) => loc.join("."))).toEqual(["calibration.thresholds.choice", "calibration.thresholds.score"]);
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
