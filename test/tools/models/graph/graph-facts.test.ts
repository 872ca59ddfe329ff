import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { graphFacts } from "../../../../src/tools/models/graph/graph-facts.ts";
import type { GraphFacts } from "../../../../src/tools/models/graph/graph-facts.ts";
import { PACKAGE_ROOT } from "../../../support/package-root.ts";
import { tinyGraph } from "../tiny-graph.ts";

const fixture = (path: string): Promise<Buffer> => readFile(new URL(`test/fixtures/models/${path}`, PACKAGE_ROOT));
const factsOf = async (path: string): Promise<GraphFacts> => graphFacts(await fixture(path), path);

describe("what a graph is made of", () => {
  test("its inputs, its logits and the version of its operators", async () => {
    const { inputs, outputs, opset, externalFiles } = await factsOf("bert/onnx/model.onnx");
    expect(inputs.map(({ name, type }) => [name, type])).toEqual([
      ["input_ids", "int64"],
      ["attention_mask", "int64"],
      ["token_type_ids", "int64"],
    ]);
    expect(outputs).toEqual([{ name: "logits", type: "float32", sizes: [undefined, 3] }]);
    expect(opset).toBeGreaterThan(10);
    expect(externalFiles).toEqual([]);
  });

  test("the types of its weights", async () => {
    const [plain, half, int8] = await Promise.all(
      ["roberta/onnx/model.onnx", "roberta/onnx/model_fp16.onnx", "bert/onnx/model_quantized.onnx"].map(factsOf),
    );
    expect(plain?.weights.get("float16")).toBeUndefined();
    expect(half?.weights.get("float16")).toBeGreaterThan(1000);
    expect(half?.weights.get("float32") ?? 0).toBeLessThan(100);
    expect([...(int8?.operators ?? [])]).toEqual(expect.arrayContaining(["MatMulInteger", "DynamicQuantizeLinear"]));
    expect([...(plain?.operators ?? [])]).not.toContain("MatMulInteger");
  });

  test("operators in its branches", async () => {
    expect([...(await factsOf("deberta-v2/onnx/model.onnx")).operators]).toContain("If");
  });

  test("files with its weights", async () => {
    expect((await factsOf("xlm-roberta/onnx/model.onnx")).externalFiles).toEqual(["model.onnx_data"]);
    expect(graphFacts(tinyGraph({ externalFile: "w.bin" }), "a.onnx").externalFiles).toEqual(["w.bin"]);
  });

  test("operators of somebody's own have their domain", () => {
    const nodes = ["Foo", "Bar"].map((type) => ({ type, domain: "my.lab", inputs: [], outputs: [] }));
    expect([...graphFacts(tinyGraph({ nodes, domains: ["my.lab"] }), "a.onnx").operators]).toEqual(["my.lab:Foo", "my.lab:Bar"]);
  });

  test("a file that is cut anywhere is not read", async () => {
    const whole = await fixture("distilbert/onnx/model.onnx");
    for (let length = 0; length < whole.length; length += 977)
      expect(() => graphFacts(whole.subarray(0, length), "a.onnx"), String(length)).toThrow(/^a\.onnx cannot be read: it is /u);
  });

  test("what is no graph is not read", () => {
    for (const text of ["", "<!doctype html>", "{}", "version https://git-lfs", "\u0000".repeat(100), "PK\u0003\u0004"])
      expect(() => graphFacts(new TextEncoder().encode(text), "a.onnx"), text).toThrow(/^a\.onnx cannot be read: it is /u);
  });
});
