import type { DeviceTraits } from "../../devices.ts";
import type { Runtime, Session, Tensor } from "../../runtime.ts";
import { cacheParts } from "./graphs.ts";
import { cutCache, floatsOf, freeCache, joinCaches, tensorNamed } from "./kv-cache.ts";
import type { KvCache } from "./kv-cache.ts";
import type { SharedPremiseManifest } from "./manifest.ts";
import { maskOf, togetherOf, windowTokens } from "./sequence.ts";
import type { RunTokens, Sequence } from "./sequence.ts";

export interface SequenceRead {
  /** float32 [first tokens, 3] */
  readonly logits: Float32Array;
  /** Keys and values of all its tokens. */
  readonly cache: KvCache;
}

/** Numbers of a place: what the graph is told of each of several questions. */
const PLACE_NUMBERS = 6;

interface Mask {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/**
 * Runs the segment graph: a sequence sees itself, as its mask says, and the cache of what was read before. A window and its question in one run, before which
 * nothing can be read, give the numbers of two runs, bit for bit; and several questions in one run those of as many runs.
 */
export class SegmentReader {
  /** The cache of nothing. */
  readonly nothing: KvCache;
  /** Whether a window and its question, or several questions, can be one run. */
  readonly readsTogether: boolean;
  readonly #session: Session;
  readonly #runtime: Runtime;
  readonly #parts: readonly string[];
  /** How many rows the cache of nothing has, which are masked. */
  readonly #emptyRows: number;

  constructor(
    session: Session,
    runtime: Runtime,
    manifest: Pick<SharedPremiseManifest, "network">,
    traits: Pick<DeviceTraits, "hasEmptyTensors">,
  ) {
    const { heads, headSize } = manifest.network;
    this.#session = session;
    this.#runtime = runtime;
    this.#parts = cacheParts(manifest);
    this.#emptyRows = traits.hasEmptyTensors ? 0 : 1;
    this.readsTogether = traits.hasEmptyTensors;
    const empty = new runtime.Tensor("float32", new Float32Array(heads * this.#emptyRows * headSize), [
      1,
      heads,
      this.#emptyRows,
      headSize,
    ]);
    this.nothing = { tokens: 0, tensors: new Map(this.#parts.map((part) => [part, empty])) };
  }

  /** Reads what later runs see. */
  async read(sequence: Sequence, past: KvCache = this.nothing): Promise<SequenceRead> {
    const results = await this.#runOne(sequence, past, ["logits", ...this.#parts.map(present)]);
    const tensors = new Map(this.#parts.map((part) => [part, tensorNamed(results, present(part))]));
    return { logits: floatsOf(tensorNamed(results, "logits")), cache: { tokens: sequence.ids.length, tensors } };
  }

  /** Reads what no later run sees: only its logits are fetched. */
  async score(sequence: Sequence, past: KvCache = this.nothing): Promise<Float32Array> {
    return floatsOf(tensorNamed(await this.#runOne(sequence, past, ["logits"]), "logits"));
  }

  /** The same for one question or, where a run can be of several, for more, in one run. Their logits follow each other. */
  async scoreAll(sequences: readonly Sequence[], past: KvCache): Promise<Float32Array> {
    const [only, ...others] = sequences;
    if (only !== undefined && others.length === 0) return this.score(only, past);
    const { places, mask, ...tokens } = togetherOf(sequences, past.tokens);
    const results = await this.#run(tokens, { data: mask, dims: [1, 1, 1, mask.length] }, places.flat(), past, ["logits"]);
    return floatsOf(tensorNamed(results, "logits"));
  }

  /** Frees a cache that no run will see again. */
  free(cache: KvCache): void {
    if (cache !== this.nothing) freeCache(cache);
  }

  /** Caches side by side, in order; they themselves are freed, unless there is only one. */
  join(caches: readonly KvCache[]): Promise<KvCache> {
    return joinCaches(caches, this.#runtime);
  }

  /** The cache of the first tokens; the whole one is freed. */
  cut(cache: KvCache, tokens: number): KvCache {
    return cutCache(cache, tokens, this.#runtime);
  }

  #runOne(sequence: Sequence, past: KvCache, fetches: readonly string[]): Promise<ReadonlyMap<string, Tensor>> {
    const tokens = sequence.ids.length;
    const pastRows = past === this.nothing ? this.#emptyRows : past.tokens;
    const unmasked = this.readsTogether ? windowTokens(sequence) : 0;
    const mask = { data: maskOf(sequence, pastRows, past === this.nothing, unmasked), dims: [1, 1, tokens - unmasked, pastRows + tokens] };
    // Where the only question lies is not read.
    const places = new Array<number>(unmasked < tokens ? PLACE_NUMBERS : 0).fill(0);
    return this.#run(sequence, mask, places, past, fetches);
  }

  /** @param places of questions, PLACE_NUMBERS each */
  async #run(
    tokens: RunTokens,
    mask: Mask,
    places: readonly number[],
    past: KvCache,
    fetches: readonly string[],
  ): Promise<ReadonlyMap<string, Tensor>> {
    const { Tensor } = this.#runtime;
    const int64 = (data: readonly number[], dims = [data.length]): Tensor => new Tensor("int64", BigInt64Array.from(data, BigInt), dims);
    const feeds: Record<string, Tensor> = {
      input_ids: int64(tokens.ids),
      positions: int64(tokens.positions),
      segment_types: int64(tokens.types),
      first_tokens: int64(tokens.firstTokens),
      mask: new Tensor("float32", mask.data, mask.dims),
    };
    if (this.readsTogether) feeds["questions"] = int64(places, [places.length / PLACE_NUMBERS, PLACE_NUMBERS]);
    for (const part of this.#parts) feeds[`past.${part}`] = tensorNamed(past.tensors, part);
    return new Map(Object.entries(await this.#session.run(feeds, fetches)));
  }
}

function present(part: string): string {
  return `present.${part}`;
}
