import { describe, expect, test } from "vitest";
import { chooseGraphs } from "../../../../src/tools/models/graph/graphs.ts";

const ALL = ["model", "model_fp16", "model_q4", "model_bnb4", "model_quantized", "model_O4", "model_qint8_arm64", "model_uint8"];

const chosen = (names: readonly string[], { named = [] as string[], arch = "x64", isExact = true } = {}): Promise<string[]> => {
  const files = names.map((name) => ({ path: `onnx/${name}.onnx`, sizeBytes: 1 }));
  return chooseGraphs([...files, { path: "config.json", sizeBytes: 1 }], named, arch, () => Promise.resolve(isExact));
};

describe("the graph that is taken unasked", () => {
  test("is int8 where the processor is exact, else the plain one", async () => {
    expect(await chosen(ALL)).toEqual(["onnx/model_quantized.onnx"]);
    expect(await chosen(["model", "model-int8-quantized"])).toEqual(["onnx/model-int8-quantized.onnx"]);
    expect(await chosen(ALL, { isExact: false })).toEqual(["onnx/model.onnx"]);
    expect(await chosen(ALL, { arch: "arm64" })).toEqual(["onnx/model_qint8_arm64.onnx"]);
    expect(await chosen(["model", "model_qint8_avx512_vnni", "model_quint8_avx2"])).toEqual(["onnx/model_qint8_avx512_vnni.onnx"]);
  });

  test("is never in half precision or 4 bits, unless nothing else is there", async () => {
    expect(await chosen(["model_fp16", "model_q4", "model"])).toEqual(["onnx/model.onnx"]);
    expect(await chosen(["model_q4"])).toEqual(["onnx/model_q4.onnx"]);
    await expect(chosen(["model_q4", "model_fp16"])).rejects.toThrow(
      /Which graph\? Give one with --file: onnx\/model_q4\.onnx, onnx\/model_fp16/u,
    );
  });

  test("is the only one, whatever its name", async () => {
    expect(await chosen(["network"], { isExact: false })).toEqual(["onnx/network.onnx"]);
    expect(await chosen(["model_quantized"], { isExact: false })).toEqual(["onnx/model_quantized.onnx"]);
  });

  test("asks nothing of the processor where nothing depends on it", async () => {
    const files = [
      { path: "onnx/model.onnx", sizeBytes: 1 },
      { path: "onnx/model_fp16.onnx", sizeBytes: 1 },
    ];
    expect(await chooseGraphs(files, [], "x64", () => Promise.reject(new Error("asked")))).toEqual(["onnx/model.onnx"]);
  });
});

describe("the graph that a person names", () => {
  test.each(["onnx/model_fp16.onnx", "model_fp16.onnx", "onnx\\model_fp16.onnx", "./onnx/model_fp16.onnx"])(
    "is found as %s",
    async (name) => {
      expect(await chosen(ALL, { named: [name] })).toEqual(["onnx/model_fp16.onnx"]);
    },
  );

  test("can be several, each once", async () => {
    expect(await chosen(ALL, { named: ["model.onnx", "model_quantized.onnx", "onnx/model.onnx"] })).toEqual([
      "onnx/model.onnx",
      "onnx/model_quantized.onnx",
    ]);
  });
});
