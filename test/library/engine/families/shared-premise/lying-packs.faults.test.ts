import { beforeEach, describe, expect, it } from "vitest";
import type { Precision } from "../../../../../src/library/engine/engine.ts";
import { loadNodeEngine, packFiles } from "../../../../../src/library/platform/node/engine.ts";
import { nodeRuntimes } from "../../../../../src/library/platform/node/runtimes.ts";
import { PACKAGE_ROOT } from "../../../../support/package-root.ts";
import { set } from "../../../../support/loose-manifest.ts";
import { PackCopy } from "../../../../support/pack-copy.ts";
import { decideError } from "../../../../support/rejection.ts";

let pack: PackCopy;
beforeEach(async () => {
  pack = await PackCopy.make();
});

const runtimes = nodeRuntimes(new URL("dist/", PACKAGE_ROOT));

const load = async (precision: Precision = "int8"): Promise<void> => {
  const engine = await loadNodeEngine(packFiles(pack.url), runtimes, { device: "cpu", precision, threads: 1 });
  await engine.close();
};

describe("a pack that lies under a seal of its own is refused by its files", () => {
  it.each(["weights", "tokenizer.file", "graphs.int8", "graphs.fp32"])("%s names a file that is not listed", async (path) => {
    for (const name of ["other.bin", "../umpire-2/weights.bin", "__proto__", "constructor"]) {
      await pack.lie(set(path, name));
      // It depends on the processor which of the two it takes.
      if (path === "graphs.int8") await pack.lie(set("graphs.int8-wide", name));
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
