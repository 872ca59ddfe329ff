import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { filesFor, parseManifest } from "../../../src/engine/families/families.ts";
import { DecideError } from "../../../src/errors.ts";
import { PACK_URL } from "../../support/package-root.ts";

interface Json {
  [field: string]: Json;
}

describe("a manifest", () => {
  let text: string;
  beforeAll(async () => {
    text = await readFile(new URL("manifest.json", PACK_URL), "utf8");
  });

  const refusal = (change: (manifest: Json) => void): DecideError => {
    const manifest = JSON.parse(text) as Json;
    change(manifest);
    try {
      parseManifest(JSON.stringify(manifest));
    } catch (error) {
      if (error instanceof DecideError) return error;
      throw error;
    }
    throw new Error("the manifest was accepted");
  };

  it("of the released pack is read, and names the files of each device", () => {
    const manifest = parseManifest(text);
    expect(manifest).toMatchObject({ id: "umpire-2", family: "shared-premise" });
    expect(filesFor(manifest, { device: "wasm", precision: "int8" })).toEqual(["tokenizer.json", "int8.onnx", "weights.bin"]);
    expect(filesFor(manifest, { device: "webgpu", precision: "fp16" })).toEqual(["tokenizer.json", "webgpu-fp16.onnx", "weights.bin"]);
    expect(() => filesFor(manifest, { device: "wasm", precision: "fp16" })).toThrow("The device wasm does not have fp16");
  });

  it("of an unknown family is refused with the families that there are", () => {
    const { code, message } = refusal((manifest) => Object.assign(manifest, { family: "oracle" }));
    expect(code).toBe("model_invalid");
    expect(message).toContain('family must be "shared-premise", but is a string of 6 characters');
  });

  it("of another format is left to a newer version", () => {
    expect(refusal((manifest) => Object.assign(manifest, { format: 2 })).message).toContain("a newer umpire may read it");
  });

  it("with several mistakes is refused for the first, and says how many more there are", () => {
    const { message, issues } = refusal((manifest) => {
      Object.assign(manifest, { id: "" });
      Object.assign(manifest["network"] ?? {}, { heads: 0 });
    });
    expect(message).toContain(
      "id must be a plain name of letters, digits, dots, dashes and underscores, but is an empty string (the first of 2 issues)",
    );
    expect(issues?.map(({ loc }) => loc.join("."))).toEqual(["id", "network.heads"]);
  });

  it("with one mistake has one issue", () => {
    const count = (change: (calibration: Json) => void): number =>
      refusal((manifest) => {
        change(manifest["calibration"] ?? {});
      }).issues?.length ?? 0;
    expect(count((calibration) => Object.assign(calibration, { choice: "none" }))).toBe(1);
    expect(count((calibration) => Object.assign(calibration["choice"]?.[0] ?? {}, { maxOptions: "two" }))).toBe(1);
    expect(count((calibration) => Object.assign(calibration, { choice: [] }))).toBe(1);
  });

  it("whose segments are longer than its network reads is refused", () => {
    expect(refusal((manifest) => Object.assign(manifest["limits"] ?? {}, { windowTokens: 10_000 })).message).toContain("network.positions");
    expect(refusal((manifest) => Object.assign(manifest["limits"] ?? {}, { overlapTokens: 382 })).message).toContain("overlapTokens");
  });
});
