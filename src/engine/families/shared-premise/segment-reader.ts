import type { DeviceTraits } from "../../devices.ts";
import type { Runtime, Session, Tensor } from "../../runtime.ts";
import { cacheParts } from "./graphs.ts";
import { cutCache, floatsOf, freeCache, joinCaches, tensorNamed } from "./kv-cache.ts";
import type { KvCache } from "./kv-cache.ts";
import type { SharedPremiseManifest } from "./manifest.ts";
import { maskOf, windowTokens } from "./sequence.ts";
import type { Sequence } from "./sequence.ts";

export interface SequenceRead {
  /** float32 [first tokens, 3] */
  readonly logits: Float32Array;
  /** Keys and values of all its tokens. */
  readonly cache: KvCache;
}

/**
 * Runs the segment graph: a sequence sees itself, as its mask says, and the cache of what was read before. A window and a question in one run give the
 * numbers of two runs, bit for bit; nothing can be read before them.
 */
export class SegmentReader {
  /** The cache of nothing. */
  readonly nothing: KvCache;
  /** Whether a window and a question can be one run. */
  readonly readsBoth: boolean;
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
    this.readsBoth = traits.hasEmptyTensors;
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
    const results = await this.#run(sequence, past, ["logits", ...this.#parts.map(present)]);
    const tensors = new Map(this.#parts.map((part) => [part, tensorNamed(results, present(part))]));
    return { logits: floatsOf(tensorNamed(results, "logits")), cache: { tokens: sequence.ids.length, tensors } };
  }

  /** Reads what no later run sees: only its logits are fetched. */
  async score(sequence: Sequence, past: KvCache = this.nothing): Promise<Float32Array> {
    return floatsOf(tensorNamed(await this.#run(sequence, past, ["logits"]), "logits"));
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

  async #run(sequence: Sequence, past: KvCache, fetches: readonly string[]): Promise<ReadonlyMap<string, Tensor>> {
    const { Tensor } = this.#runtime;
    const tokens = sequence.ids.length;
    const pastRows = past === this.nothing ? this.#emptyRows : past.tokens;
    const unmasked = this.readsBoth ? windowTokens(sequence) : 0;
    const int64 = (data: BigInt64Array): Tensor => new Tensor("int64", data, [data.length]);
    const feeds: Record<string, Tensor> = {
      input_ids: int64(sequence.ids),
      positions: int64(sequence.positions),
      segment_types: int64(sequence.types),
      first_tokens: int64(sequence.firstTokens),
      mask: new Tensor("float32", maskOf(sequence, pastRows, past === this.nothing, unmasked), [
        1,
        1,
        tokens - unmasked,
        pastRows + tokens,
      ]),
    };
    for (const part of this.#parts) feeds[`past.${part}`] = tensorNamed(past.tensors, part);
    return new Map(Object.entries(await this.#session.run(feeds, fetches)));
  }
}

function present(part: string): string {
  return `present.${part}`;
}
