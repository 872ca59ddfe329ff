import { elementAt } from "../../../validation/expect.ts";
import { runtimeFailed } from "../../devices.ts";
import type { Runtime, Tensor } from "../../runtime.ts";

/** Keys and values of what was read, by layer: float32 [1, heads, tokens, head size] each. They stay where the model runs. */
export interface KvCache {
  readonly tokens: number;
  /** `0.key`, `0.value`, `1.key`, ... */
  readonly tensors: ReadonlyMap<string, Tensor>;
}

/** Frees the tensors of a cache that no run will see again. */
export function freeCache(cache: KvCache): void {
  for (const tensor of cache.tensors.values()) tensor.dispose();
}

/** Caches side by side, in order; they themselves are freed. A single one is returned as it is. */
export async function joinCaches(caches: readonly KvCache[], runtime: Runtime): Promise<KvCache> {
  const first = elementAt(caches, 0, "KV cache");
  if (caches.length === 1) return first;
  const tokens = caches.reduce((sum, cache) => sum + cache.tokens, 0);
  const tensors = new Map<string, Tensor>();
  for (const part of first.tensors.keys()) {
    const parts = caches.map((cache) => tensorNamed(cache.tensors, part));
    // A GPU's tensors come to the processor for it: states of more than one window are rare.
    tensors.set(part, joined(parts, await Promise.all(parts.map(downloaded)), tokens, runtime));
  }
  caches.forEach(freeCache);
  return { tokens, tensors };
}

/** The cache of the first tokens, from main memory; the whole one is freed. */
export function cutCache(cache: KvCache, tokens: number, runtime: Runtime): KvCache {
  const cut = new Map([...cache.tensors].map(([part, tensor]) => [part, firstRows(tensor, tokens, runtime)]));
  freeCache(cache);
  return { tokens, tensors: cut };
}

export function tensorNamed(tensors: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const tensor = tensors.get(name);
  if (tensor === undefined) throw new TypeError(`the graph has no ${name}`);
  return tensor;
}

export function floatsOf(tensor: Tensor): Float32Array {
  return asFloats(tensor.data, tensor);
}

/** The first rows of each head of a tensor [1, heads, tokens, head size]. */
function firstRows(tensor: Tensor, tokens: number, runtime: Runtime): Tensor {
  const [heads, all, headSize] = [1, 2, 3].map((axis) => elementAt(tensor.dims, axis, "dimension")) as [number, number, number];
  const data = floatsOf(tensor);
  const first = new Float32Array(heads * tokens * headSize);
  for (let head = 0; head < heads; head++) {
    const start = head * all * headSize;
    first.set(data.subarray(start, start + tokens * headSize), head * tokens * headSize);
  }
  return new runtime.Tensor("float32", first, [1, heads, tokens, headSize]);
}

/** Tensors [1, heads, tokens, head size] joined along their tokens: head by head, the rows of each lie together. */
function joined(tensors: readonly Tensor[], contents: readonly Float32Array[], tokens: number, runtime: Runtime): Tensor {
  const { dims } = elementAt(tensors, 0, "tensor");
  const [heads, headSize] = [elementAt(dims, 1, "dimension"), elementAt(dims, 3, "dimension")];
  const whole = new Float32Array(heads * tokens * headSize);
  let at = 0;
  for (let head = 0; head < heads; head++) {
    for (const data of contents) {
      const size = data.length / heads;
      whole.set(data.subarray(head * size, (head + 1) * size), at);
      at += size;
    }
  }
  return new runtime.Tensor("float32", whole, [1, heads, tokens, headSize]);
}

/** What a tensor holds. A GPU's comes to the processor. @throws {DecideError} `backend_failed` when the GPU is lost */
export async function downloaded(tensor: Tensor): Promise<Float32Array> {
  const data = await tensor.getData().catch((cause: unknown) => {
    throw runtimeFailed(cause);
  });
  return asFloats(data, tensor);
}

function asFloats(data: Tensor["data"], { type }: Tensor): Float32Array {
  if (!(data instanceof Float32Array)) throw new TypeError(`a tensor of the graph holds ${type}, not float32`);
  return data;
}
