import { DecideError } from "../../../../errors.ts";
import { elementAt } from "../../../validation/expect.ts";
import { checkPrecision, runtimeFailed, type DeviceTraits } from "../../devices.ts";
import type { Device, Precision } from "../../engine.ts";
import type { ModelPack } from "../../pack/open-pack.ts";
import { createSession, type Placement, type Runtime, type Session, type Tensor } from "../../runtime.ts";
import type { SharedPremiseManifest } from "./manifest.ts";
import { maskOf, togetherOf, tokensIn, type RunTokens, type Sequence } from "./sequence.ts";

/** Numbers of a place: what the graph is told of each of several questions. */
const PLACE_NUMBERS = 6;

/** A pack's segment graph: a sequence sees itself, as its mask says, and the cache of what was read before. */
export interface SegmentReader {
  /** Whether a window and its question, or several questions, can be one run: it gives the numbers of as many runs, bit for bit. */
  readonly readsTogether: boolean;
  /** Reads what later runs see. @param past default: nothing @returns float32 [first tokens, 3], and keys and values of all its tokens */
  read(sequence: Sequence, past?: KvCache): Promise<{ readonly logits: Float32Array; readonly cache: KvCache }>;
  /** Reads what no later run sees: only its logits are fetched. @param past default: nothing */
  score(sequence: Sequence, past?: KvCache): Promise<Float32Array>;
  /** The same for one question or, where a run can be of several, for more, in one run. Their logits follow each other. */
  scoreAll(sequences: readonly Sequence[], past: KvCache): Promise<Float32Array>;
}

export function segmentReader(
  session: Session,
  { Tensor }: Runtime,
  manifest: Pick<SharedPremiseManifest, "network">,
  { lacksEmptyTensors }: Pick<DeviceTraits, "lacksEmptyTensors">,
): SegmentReader {
  const { heads, headSize } = manifest.network;
  const parts = cacheParts(manifest);
  const readsTogether = lacksEmptyTensors !== true;
  /** How many rows the cache of nothing has, which are masked. */
  const emptyRows = readsTogether ? 0 : 1;
  const empty = new Tensor("float32", new Float32Array(heads * emptyRows * headSize), [1, heads, emptyRows, headSize]);
  const nothing: KvCache = { tokens: 0, tensors: new Map(parts.map((part) => [part, empty])) };
  const score: SegmentReader["score"] = async (sequence, past = nothing) =>
    floatsOf(tensorNamed(await runOne(sequence, past, ["logits"]), "logits"));
  return {
    readsTogether,
    async read(sequence, past = nothing) {
      const results = await runOne(sequence, past, ["logits", ...parts.map(present)]);
      const tensors = new Map(parts.map((part) => [part, tensorNamed(results, present(part))]));
      return { logits: floatsOf(tensorNamed(results, "logits")), cache: { tokens: sequence.ids.length, tensors } };
    },
    score,
    async scoreAll(sequences, past) {
      const [only, ...others] = sequences;
      if (only !== undefined && others.length === 0) return score(only, past);
      const { places, mask, ...tokens } = togetherOf(sequences, past.tokens);
      const results = await run(tokens, { data: mask, dims: [1, 1, 1, mask.length] }, places.flat(), past, ["logits"]);
      return floatsOf(tensorNamed(results, "logits"));
    },
  };

  function runOne(sequence: Sequence, past: KvCache, fetches: readonly string[]): Promise<ReadonlyMap<string, Tensor>> {
    const tokens = sequence.ids.length;
    const pastRows = past === nothing ? emptyRows : past.tokens;
    const unmasked = readsTogether ? tokensIn(sequence, "state") : 0;
    const mask = { data: maskOf(sequence, pastRows, past === nothing, unmasked), dims: [1, 1, tokens - unmasked, pastRows + tokens] };
    // Where the only question lies is not read.
    const places = new Array<number>(unmasked < tokens ? PLACE_NUMBERS : 0).fill(0);
    return run(sequence, mask, places, past, fetches);
  }

  /** @param places of questions, PLACE_NUMBERS each */
  async function run(
    tokens: RunTokens,
    mask: { readonly data: Float32Array; readonly dims: readonly number[] },
    places: readonly number[],
    past: KvCache,
    fetches: readonly string[],
  ): Promise<ReadonlyMap<string, Tensor>> {
    const int64 = (data: readonly number[], dims = [data.length]): Tensor => new Tensor("int64", BigInt64Array.from(data, BigInt), dims);
    const feeds: Record<string, Tensor> = {
      input_ids: int64(tokens.ids),
      positions: int64(tokens.positions),
      segment_types: int64(tokens.types),
      first_tokens: int64(tokens.firstTokens),
      mask: new Tensor("float32", mask.data, mask.dims),
    };
    if (readsTogether) feeds["questions"] = int64(places, [places.length / PLACE_NUMBERS, PLACE_NUMBERS]);
    for (const part of parts) feeds[`past.${part}`] = tensorNamed(past.tensors, part);
    return new Map(Object.entries(await session.run(feeds, fetches)));
  }
}

function present(part: string): string {
  return `present.${part}`;
}

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
  const cut = new Map([...cache.tensors].map(([part, tensor]) => [part, joined([tensor], [floatsOf(tensor)], tokens, runtime)]));
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

/** Tensors [1, heads, tokens, head size] joined along their tokens, head by head, up to so many. */
function joined(tensors: readonly Tensor[], contents: readonly Float32Array[], tokens: number, runtime: Runtime): Tensor {
  const { dims } = elementAt(tensors, 0, "tensor");
  const [heads, headSize] = [elementAt(dims, 1, "dimension"), elementAt(dims, 3, "dimension")];
  const whole = new Float32Array(heads * tokens * headSize);
  for (let head = 0; head < heads; head++) {
    const rows = whole.subarray(head * tokens * headSize, (head + 1) * tokens * headSize);
    let at = 0;
    for (const data of contents) {
      const size = data.length / heads;
      rows.set(data.subarray(head * size, head * size + Math.min(size, rows.length)), at);
      at += size;
    }
  }
  return new runtime.Tensor("float32", whole, [1, heads, tokens, headSize]);
}

/** A tensor's values. A GPU's comes to the processor. @throws {DecideError} `backend_failed` when the GPU is lost */
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

type GraphName = keyof Omit<SharedPremiseManifest["graphs"], "probe">;

/** The graph for each arithmetic of each device. */
const GRAPHS: { readonly [D in Device]: { readonly [P in Precision]?: GraphName } } = {
  cpu: { int8: "int8", fp32: "fp32" },
  wasm: { int8: "int8", fp32: "fp32" },
  webgpu: { fp16: "webgpu-fp16", fp32: "webgpu-fp32" },
};

/** Names of the files that the device needs. @throws {DecideError} `backend_unavailable` */
export function filesFor(manifest: SharedPremiseManifest, placement: Pick<Placement, "device" | "precision">): string[] {
  const { basis } = manifest.features;
  return [manifest.tokenizer.file, fileOf(manifest, graphFor(placement)), manifest.weights, ...(basis ? [basis.file] : [])];
}

/**
 * Makes the session that runs a pack's segment graph on a device.
 * @throws {DecideError} `model_invalid` when the runtime refuses the graph; `backend_unavailable` when the device or the pack does not have this arithmetic, or there is too little memory.
 */
export async function loadGraph(
  pack: ModelPack<SharedPremiseManifest>,
  runtime: Runtime,
  placement: Placement,
): Promise<{ readonly session: Session; readonly name: GraphName; readonly file: string }> {
  const { manifest } = pack;
  const wanted = graphFor(placement);
  const { probe } = manifest.graphs;
  const isWide = wanted === "int8" && (await runtime.productsSaturate?.({ file: probe, bytes: await pack.read(probe) }));
  const name = isWide ? "int8-wide" : wanted;
  const file = fileOf(manifest, name);
  const graph = {
    file,
    bytes: await pack.read(file),
    externalData: [{ path: manifest.weights, data: await pack.read(manifest.weights) }],
    // The logits, three numbers an option, come back.
    keptOutputs: cacheParts(manifest).map(present),
  };
  return { session: await createSession(runtime, graph, placement), name, file };
}

/** Names of the tensors of a KV cache: `0.key`, `0.value`, `1.key`, ... */
function cacheParts({ network }: Pick<SharedPremiseManifest, "network">): string[] {
  return Array.from({ length: network.layers }, (_, layer) => [`${layer}.key`, `${layer}.value`]).flat();
}

function graphFor({ device, precision }: Pick<Placement, "device" | "precision">): GraphName {
  checkPrecision(device, precision);
  const name = GRAPHS[device][precision];
  if (name === undefined) throw new DecideError("internal", `No graph is known for ${precision} on ${device}.`);
  return name;
}

function fileOf({ id, graphs }: SharedPremiseManifest, graph: GraphName): string {
  const file = graphs[graph];
  if (file !== undefined) return file;
  throw new DecideError("backend_unavailable", `The model ${id} has no graph ${graph}. Use another device, or a newer model.`);
}
