import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { parseManifest } from "../../../../../src/library/engine/families/families.ts";
import { set } from "../../../../support/loose-manifest.ts";
import { PACK_URL } from "../../../../support/package-root.ts";
import type { LooseManifest } from "../../../../support/pack-copy.ts";
import { decideError } from "../../../../support/rejection.ts";

let manifest: LooseManifest;
beforeEach(async () => {
  manifest = JSON.parse(await readFile(new URL("manifest.json", PACK_URL), "utf8")) as LooseManifest;
});

/** The same curves for each type. */
const curves = (list: unknown[]): unknown => ({ choice: list, noul: list, score: list });

/** The error of the changed manifest. */
async function expectRefused(): Promise<void> {
  const error = await decideError(() => parseManifest(JSON.stringify(manifest)));
  expect(error).toMatchObject({ code: "model_invalid", status: 500, retryable: false });
  expect(error.message).toMatch(/manifest\.json.*install/is);
}

describe("a manifest of a shared-premise model is refused", () => {
  it.each<[string, unknown]>([
    ["format", undefined],
    ["format", "1"],
    ["id", undefined],
    ["description", 5],
    ["releaseDate", null],
    ["labels", ["entailment", "neutral"]],
    ["labels", ["entailment", "entailment", "contradiction"]],
    ["labels", ["entailment", "neutral", "contradiction", "neutral"]],
    ["labels", ["yes", "no", "maybe"]],
    ["labels", "entailment"],
    ["network.layers", 0],
    ["network.heads", 1.5],
    ["network.headSize", -32],
    ["network.positions", "512"],
    ["limits.windowTokens", 513],
    ["limits.overlapTokens", 382],
    ["limits.stateTokens", 1e300],
    ["limits.instructionsTokens", 500],
    ["limits.optionTokens", 255],
    ["limits.optionTokens", 0],
    ["tokenizer.clsId", -1],
    ["calibration.choice", [{ maxOptions: 255, temperature: 0 }]],
    ["calibration.choice", [{ maxOptions: 255, temperature: -1 }]],
    [
      "calibration.choice",
      [
        { maxOptions: 255, temperature: 1 },
        { maxOptions: 5, temperature: 1 },
      ],
    ],
    ["calibration.noul.bias", "0"],
    ["calibration.noul.bias", null],
    ["calibration.score.temperature", null],
    ["calibration.accuracy", curves([])],
    ["calibration.accuracy", curves([{ maxOptions: 255, slope: 0, bias: 0 }])],
    ["calibration.accuracy", curves([{ maxOptions: 255, slope: 1, bias: "0" }])],
    ["calibration.accuracy", curves([{ maxOptions: 1, slope: 1, bias: 0 }])],
    [
      "calibration.accuracy",
      curves([
        { maxOptions: 5, slope: 1, bias: 0 },
        { maxOptions: 5, slope: 1, bias: 0 },
      ]),
    ],
    ["graphs.int8", 3],
    ["graphs.int8-wide", undefined],
    ["weights", undefined],
    ["selfTest", undefined],
    ["selfTest.options", "a"],
    ["selfTest.scores.int8", ["1"]],
    ["selfTest.tolerance.int8", undefined],
    ["files.weights\u2024bin", { sizeBytes: 1.5, sha256: "x" }],
  ])("with %s: %j", async (path, value) => {
    set(path, value)(manifest);
    await expectRefused();
  });
});
