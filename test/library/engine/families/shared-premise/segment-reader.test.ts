import { Tensor } from "onnxruntime-common";
import { describe, expect, it } from "vitest";
import { joinCaches } from "../../../../../src/library/engine/families/shared-premise/segment-reader.ts";
import type { KvCache } from "../../../../../src/library/engine/families/shared-premise/segment-reader.ts";
import type { Runtime } from "../../../../../src/library/engine/runtime.ts";

const runtime = { Tensor } as Runtime;
const HEADS = 2;
const HEAD_SIZE = 3;

/** A cache in which each number says its head, its token and its place. */
function cacheOf(firstToken: number, tokens: number): KvCache {
  const data = Float32Array.from({ length: HEADS * tokens * HEAD_SIZE }, (_, i) => {
    const [head, token] = [Math.floor(i / (tokens * HEAD_SIZE)), Math.floor(i / HEAD_SIZE) % tokens];
    return 100 * head + 10 * (firstToken + token) + (i % HEAD_SIZE);
  });
  return { tokens, tensors: new Map([["0.key", new Tensor("float32", data, [1, HEADS, tokens, HEAD_SIZE])]]) };
}

describe("caches that are joined", () => {
  it("are as if their tokens had been read as one", async () => {
    const joined = await joinCaches([cacheOf(0, 2), cacheOf(2, 1), cacheOf(3, 4)], runtime);
    const whole = cacheOf(0, 7);
    expect(joined.tokens).toBe(7);
    expect(joined.tensors.get("0.key")?.dims).toEqual([1, HEADS, 7, HEAD_SIZE]);
    expect(joined.tensors.get("0.key")?.data).toEqual(whole.tensors.get("0.key")?.data);
  });

  it("are freed, unless there is only one", async () => {
    const parts = [cacheOf(0, 1), cacheOf(1, 1)];
    await joinCaches(parts, runtime);
    for (const { tensors } of parts) expect(() => tensors.get("0.key")?.data).toThrow(/disposed|not a CPU|no longer/i);
    const only = cacheOf(0, 1);
    expect(await joinCaches([only], runtime)).toBe(only);
    expect(only.tensors.get("0.key")?.data).toHaveLength(HEADS * HEAD_SIZE);
  });
});
