import { Tensor } from "onnxruntime-common";
import { describe, expect, it } from "vitest";
import { featureReader, QUESTION_PART, STATE_PART, readBases } from "../../../../../src/library/engine/families/shared-premise/features.ts";
import { freeCache } from "../../../../../src/library/engine/families/shared-premise/segment-reader.ts";
import type { KvCache } from "../../../../../src/library/engine/families/shared-premise/segment-reader.ts";
import type { SharedPremiseManifest } from "../../../../../src/library/engine/families/shared-premise/manifest.ts";
import { basisFile } from "../../../../support/basis-file.ts";
import type { BasisPart } from "../../../../support/basis-file.ts";
import { decideError } from "../../../../support/rejection.ts";
import type { Basis, FeatureReader } from "../../../../../src/library/engine/families/shared-premise/features.ts";

const [HEADS, HEAD_SIZE] = [2, 3];
const VALUES = 2 * HEADS * HEAD_SIZE;

async function readerOf(parts?: readonly BasisPart[]): Promise<FeatureReader> {
  const basis = parts && { file: "features.bin", components: parts[0]?.scales.length ?? 0 };
  const features = { layers: [1, 3], ...(basis && { basis }) };
  const manifest = { network: { heads: HEADS, headSize: HEAD_SIZE }, features } as unknown as SharedPremiseManifest;
  return featureReader(manifest, await readBases({ manifest, read: () => Promise.resolve(basisFile(parts ?? [])) }));
}

/** Some number for each place in a cache. */
const valueAt = (layer: number, head: number, token: number, i: number): number =>
  Math.fround(Math.sin(97 * layer + 31 * head + 7 * token + i));

type MakeTensor = (data: Float32Array, dims: readonly number[]) => Tensor;
const onProcessor: MakeTensor = (data, dims) => new Tensor("float32", data, dims);

function onGpu(download: (data: Float32Array) => Promise<Float32Array>): MakeTensor {
  return (data, dims) =>
    Tensor.fromGpuBuffer({} as Parameters<typeof Tensor.fromGpuBuffer>[0], {
      dataType: "float32",
      dims,
      download: () => download(data),
      dispose: () => undefined,
    });
}

/** A cache of some tokens, from the one with that index on. */
function cacheOf(firstToken: number, tokens: number, make = onProcessor): KvCache {
  const tensors = [0, 1, 2, 3].flatMap((layer) => {
    const data = Float32Array.from({ length: HEADS * tokens * HEAD_SIZE }, (_, at) => {
      const [head, token] = [Math.floor(at / (tokens * HEAD_SIZE)), Math.floor(at / HEAD_SIZE) % tokens];
      return valueAt(layer, head, firstToken + token, at % HEAD_SIZE);
    });
    const dims = [1, HEADS, tokens, HEAD_SIZE];
    return [
      [
        `${layer}.key`,
        make(
          data.map((x) => -x),
          dims,
        ),
      ] as const,
      [`${layer}.value`, make(data, dims)] as const,
    ];
  });
  return { tokens, tensors: new Map(tensors) };
}

/** The mean over the tokens before `tokens`, layer by layer, head by head. */
const meansOf = (tokens: number): number[] =>
  [1, 3].flatMap((layer) =>
    Array.from({ length: HEADS * HEAD_SIZE }, (_, at) => {
      let sum = 0;
      for (let token = 0; token < tokens; token++) sum += valueAt(layer, Math.floor(at / HEAD_SIZE), token, at % HEAD_SIZE);
      return sum / tokens;
    }),
  );

const part = (sign: number): BasisPart => ({
  mean: Array.from({ length: VALUES }, (_, i) => Math.fround(0.1 * sign * i)),
  components: [0, 1, 2].map((c) => Array.from({ length: VALUES }, (_, i) => sign * ((37 * c + 11 * i) % 127))),
  scales: [0.5, 0.25, 2],
});

describe("the features of a part", () => {
  it("are the means over its tokens of the values of the manifest's layers", async () => {
    const reader = await readerOf();
    expect(reader.partSize).toBe(VALUES);
    expect(await reader.read([cacheOf(0, 5)], STATE_PART)).toEqual(Float32Array.from(meansOf(5)));
  });

  it("are those of all windows together, each token counted once for each window that holds it", async () => {
    const windows = [cacheOf(0, 4), cacheOf(4, 4), cacheOf(8, 2)];
    expect(await (await readerOf()).read(windows, STATE_PART)).toEqual(Float32Array.from(meansOf(10)));
  });

  it("are whitened by the pack's basis, which has a part for the state and one for the question", async () => {
    const bases = [part(1), part(-1)];
    const reader = await readerOf(bases);
    expect(reader.partSize).toBe(3);
    for (const at of [STATE_PART, QUESTION_PART]) {
      const { mean, components, scales } = bases[at] ?? part(0);
      const centred = meansOf(6).map((value, i) => value - (mean[i] ?? NaN));
      const expected = scales.map((scale, c) => scale * centred.reduce((sum, value, i) => sum + value * (components[c]?.[i] ?? NaN), 0));
      const features = await reader.read([cacheOf(0, 6)], at);
      features.forEach((feature, i) => {
        expect(feature).toBeCloseTo(expected[i] ?? NaN, 3);
      });
      expect(features).toHaveLength(3);
    }
  });

  it.each([undefined, [part(1), part(-1)]])("are zeros if there are no tokens", async (bases) => {
    const reader = await readerOf(bases);
    // A GPU's cache of nothing has one row, which counts as no token.
    expect(await reader.read([{ ...cacheOf(0, 1), tokens: 0 }], QUESTION_PART)).toEqual(new Float32Array(reader.partSize));
  });

  it("are read off a GPU, and leave the other tensors there", async () => {
    const downloads: number[] = [];
    const make = onGpu((data) => Promise.resolve(data).finally(() => downloads.push(data.length)));
    expect(await (await readerOf()).read([cacheOf(0, 5, make)], STATE_PART)).toEqual(Float32Array.from(meansOf(5)));
    expect(downloads).toHaveLength(2);
  });

  it("fail as a run does when the GPU is lost, and all tensors can be freed", async () => {
    const lost = new Error("device lost");
    let downloads = 0;
    const make = onGpu((data) => (++downloads < 3 ? Promise.resolve(data) : Promise.reject(lost)));
    const windows = [cacheOf(0, 5, make), cacheOf(5, 5, make), cacheOf(10, 5, make)];
    expect(await decideError(async () => (await readerOf()).read(windows, STATE_PART))).toMatchObject({
      code: "backend_failed",
      cause: lost,
    });
    windows.forEach(freeCache);
  });

  it("are refused if one is not a number that a float32 can be", async () => {
    const large = [part(1), { ...part(1), scales: [1, 3e38, 1] }];
    expect(await decideError(async () => (await readerOf(large)).read([cacheOf(0, 2)], QUESTION_PART))).toMatchObject({
      code: "backend_failed",
    });
    const short = (data: Float32Array): Tensor => new Tensor("float32", data.subarray(0, 1), [1]);
    expect(await decideError(async () => (await readerOf()).read([cacheOf(0, 2, short)], STATE_PART))).toMatchObject({
      code: "backend_failed",
    });
  });
});

// Five values: neither the scales nor the second part begin at a multiple of four.
const STATE_BASIS = { mean: [1, 2, 3, 4, 5], components: [[1, -2, 3, -4, 5]], scales: [0.5] };
const QUESTION_BASIS = { mean: [-1, -2, -3, -4, -5], components: [[127, -128, 0, 1, -1]], scales: [0.25] };

function readFile(bytes: Uint8Array<ArrayBuffer>, components = 1): Promise<readonly Basis[]> {
  const features = { layers: [5], basis: { file: "features.bin", components } };
  const manifest = { features, network: { heads: 5, headSize: 1 } } as unknown as SharedPremiseManifest;
  return readBases({ manifest, read: () => Promise.resolve(bytes) });
}

describe("the file of a basis", () => {
  it("has mean, components and scales of the state's part, then those of the question's", async () => {
    const expected = [STATE_BASIS, QUESTION_BASIS].map(({ mean, components, scales }) => ({
      mean: Float32Array.from(mean),
      components: Int8Array.from(components.flat()),
      scales: Float32Array.from(scales),
    }));
    expect(await readFile(basisFile([STATE_BASIS, QUESTION_BASIS]))).toEqual(expected);
  });

  it.each([0, 1, 57, 59, 1000])("of %i bytes is refused by its name: it has 58", async (length) => {
    const error = await decideError(() => readFile(new Uint8Array(length)));
    expect(error).toMatchObject({ code: "model_invalid" });
    expect(error.message).toBe("features.bin does not have 58 bytes, as its components need: install the pack again.");
  });
});
