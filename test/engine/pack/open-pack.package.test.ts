import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Precision } from "../../../src/engine/engine.ts";
import { loadNodeEngine, packFiles } from "../../../src/platform/node/engine.ts";
import { runtimesOfCaller } from "../../../src/platform/node/runtimes.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { set } from "../../support/loose-manifest.ts";
import { PackCopy } from "../../support/pack-copy.ts";
import { decideError } from "../../support/rejection.ts";
import type { Failure } from "../../support/rejection.ts";
import { BUILT_IN } from "../suite-models.ts";
import { damagedPackSuite } from "./damaged-suite.ts";

let pack: PackCopy;
beforeEach(async () => {
  pack = await PackCopy.make();
});
afterEach(() => pack.remove());

const runtimes = runtimesOfCaller(new URL("dist/", PACKAGE_ROOT));

const load = async (precision: Precision = "int8"): Promise<void> => {
  const engine = await loadNodeEngine(packFiles(pack.url), runtimes, { device: "cpu", precision, threads: 1 });
  await engine.close();
};

/** The same curves for each type. */
const curves = (list: unknown[]): unknown => ({ choice: list, noul: list, score: list });

/** The error of a pack that must not load, in any precision. */
async function refused(): Promise<Failure> {
  const [int8, fp32] = [await decideError(() => load("int8")), await decideError(() => load("fp32"))];
  for (const error of [int8, fp32]) {
    expect(error).toMatchObject({ code: "model_invalid", status: 500, retryable: false });
    expect(error.message).toMatch(/install/i);
  }
  return int8;
}

damagedPackSuite(BUILT_IN);

describe("a pack that lies under a seal of its own is refused by its manifest's rules", () => {
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
    ["selfTest.options", []],
    ["selfTest.scores.int8", ["1"]],
    ["selfTest.tolerance.int8", undefined],
    ["files.weights\u2024bin", { sizeBytes: 1.5, sha256: "x" }],
  ])("%s: %j", async (path, value) => {
    await pack.lie(set(path, value));
    await pack.sealManifest();
    const { message } = await refused();
    // An empty self-test is a text of no texts: it is the graph that cannot answer it.
    if (path !== "selfTest.options") expect(message).toContain("manifest.json");
  });

  it.each(["weights", "tokenizer.file", "graphs.int8", "graphs.fp32"])("%s names a file that is not listed", async (path) => {
    for (const name of ["other.bin", "../umpire-2/weights.bin", "__proto__", "constructor"]) {
      await pack.lie(set(path, name));
      await pack.sealManifest();
      const error = await decideError(() => load(path === "graphs.fp32" ? "fp32" : "int8"));
      expect(error.code).toBe("model_invalid");
      expect(error.message).toContain("manifest.json");
    }
  });
});

describe("a pack that lies under a seal of its own is refused by its self-test", () => {
  const expectSelfTest = async (precision: Precision = "int8"): Promise<void> => {
    await pack.seal();
    const error = await decideError(() => load(precision));
    expect(error.code).toBe("model_invalid");
    expect(error.message).toMatch(/self-test|refuses the graph/);
    // Which file, of those that the answers come from.
    expect(error.message).toMatch(/\w+\.(onnx|bin|json)/);
  };

  it("when its labels are in another order", async () => {
    for (const labels of [
      ["contradiction", "neutral", "entailment"],
      ["neutral", "entailment", "contradiction"],
      ["neutral", "contradiction", "entailment"],
    ]) {
      await pack.lie((manifest) => (manifest["labels"] = labels));
      await expectSelfTest("int8");
      await expectSelfTest("fp32");
    }
  });

  it.each([
    ["clsId", 102],
    ["sepId", 101],
  ])("when its tokenizer's %s is another", async (name, id) => {
    await pack.lie((manifest) => Object.assign(manifest["tokenizer"] as object, { [name]: id }));
    await expectSelfTest();
  });

  interface LooseTokenizer {
    model: { vocab: Record<string, number> };
    normalizer: { normalizers: Record<string, unknown>[] };
  }
  const retokenized = async (change: (tokenizer: LooseTokenizer) => void): Promise<void> => {
    const tokenizer = JSON.parse(new TextDecoder().decode(await pack.read("tokenizer.json"))) as LooseTokenizer;
    change(tokenizer);
    await pack.write("tokenizer.json", JSON.stringify(tokenizer));
  };

  it("when its tokenizer is another valid one: words numbered otherwise", async () => {
    await retokenized(({ model: { vocab: vocabulary } }) => {
      const words = Object.keys(vocabulary);
      const ids = Object.values(vocabulary);
      words.forEach((word, i) => {
        if (i >= 1000) vocabulary[word] = ids[ids.length - 1 - (i - 1000)] ?? 0;
      });
    });
    await expectSelfTest();
  });

  it("when its tokenizer is another valid one: one that tells upper case from lower", async () => {
    await retokenized(({ normalizer }) => {
      for (const step of normalizer.normalizers) if (step["type"] === "BertNormalizer") step["lowercase"] = false;
    });
    await expectSelfTest();
  });

  it("when its tokenizer is a small one of other words", async () => {
    await pack.write(
      "tokenizer.json",
      JSON.stringify({
        version: "1.0",
        added_tokens: [],
        normalizer: {
          type: "Sequence",
          normalizers: [{ type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true }],
        },
        pre_tokenizer: { type: "BertPreTokenizer" },
        post_processor: null,
        decoder: null,
        model: { type: "WordPiece", unk_token: "a", continuing_subword_prefix: "##", max_input_chars_per_word: 100, vocab: { a: 5, b: 6 } },
      }),
    );
    await expectSelfTest();
  });

  it.each<[Precision, string, string]>([
    ["int8", "int8.onnx", "fp32.onnx"],
    ["fp32", "fp32.onnx", "int8.onnx"],
    ["fp32", "fp32.onnx", "int8-wide.onnx"],
    ["fp32", "fp32.onnx", "probe.onnx"],
    ["int8", "probe.onnx", "fp32.onnx"],
  ])("when a graph is another: in %s, %s is %s", async (precision, name, other) => {
    const bytes = await pack.read(other);
    await pack.write(name, bytes);
    if (name === "int8.onnx") await pack.write("int8-wide.onnx", bytes);
    await expectSelfTest(precision);
  });

  it("when its weights are others: halves swapped, zeroes, cut short", async () => {
    const weights = await pack.read("weights.bin");
    const half = weights.length / 2;
    for (const other of [
      Buffer.concat([weights.subarray(half), weights.subarray(0, half)]),
      new Uint8Array(weights.length),
      weights.subarray(0, half),
    ]) {
      await pack.write("weights.bin", other);
      await expectSelfTest("int8");
    }
  });

  it("when the scores that it promises are others", async () => {
    await pack.lie((manifest) => {
      const { scores } = manifest["selfTest"] as { scores: Record<Precision, number[]> };
      scores.fp32[1] = (scores.fp32[1] ?? 0) + 0.01;
      scores.int8.pop();
    });
    await expectSelfTest("int8");
    await expectSelfTest("fp32");
  });
});
