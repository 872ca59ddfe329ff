import type { DeviceTraits } from "../../devices.ts";
import type { Runtime, Session, Tensor } from "../../runtime.ts";
import { cacheParts } from "./graphs.ts";
import { floatsOf, freeCache, joinCaches, tensorNamed } from "./kv-cache.ts";
import type { KvCache } from "./kv-cache.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

/** Added to the attention scores of a cache: -1e4 makes the softmax weights of a masked one exactly 0. */
const SEEN = 0;
const MASKED = -1e4;

export type SegmentRole = "state" | "question" | "option";

/** The role as the graph's input has it. */
const SEGMENT_TYPE: { readonly [Role in SegmentRole]: bigint } = { state: 0n, question: 1n, option: 2n };

/** Segments of one length, one a row; shorter ones end in padding. */
export interface Segments {
  readonly role: SegmentRole;
  readonly rows: number;
  /** Tokens a row, special ones included. */
  readonly length: number;
  /** Token ids, row by row. */
  readonly ids: BigInt64Array;
  /** Position of each row's first token. */
  readonly firstPosition: number;
}

export interface SegmentsRead {
  /** float32 [rows, 3] */
  readonly logits: Float32Array;
  /** Keys and values of these segments, padding included; of options none. */
  readonly cache: KvCache;
}

/** Runs the segment graph: segments see themselves and the caches that they are given. */
export class SegmentReader {
  /** The cache of nothing. */
  readonly nothing: KvCache;
  readonly #session: Session;
  readonly #runtime: Runtime;
  readonly #parts: readonly string[];
  readonly #hasEmptyTensors: boolean;

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
    this.#hasEmptyTensors = traits.hasEmptyTensors;
    const rows = traits.hasEmptyTensors ? 0 : 1;
    const empty = new runtime.Tensor("float32", new Float32Array(heads * rows * headSize), [1, heads, rows, headSize]);
    this.nothing = { tokens: 0, tensors: new Map(this.#parts.map((part) => [part, empty])) };
  }

  async read(segments: Segments, state: KvCache = this.nothing, question: KvCache = this.nothing): Promise<SegmentsRead> {
    // Options are never seen again: only their logits are fetched.
    const parts = segments.role === "option" ? [] : this.#parts;
    const fetches = ["logits", ...parts.map((part) => `present.${part}`)];
    const results = new Map(Object.entries(await this.#session.run(this.#feeds(segments, state, question), fetches)));
    const tensors = new Map(parts.map((part) => [part, tensorNamed(results, `present.${part}`)]));
    return { logits: floatsOf(tensorNamed(results, "logits")), cache: { tokens: segments.rows * segments.length, tensors } };
  }

  /** Frees a cache that no run will see again. */
  free(cache: KvCache): void {
    if (cache !== this.nothing) freeCache(cache);
  }

  /** Caches side by side, in order; they themselves are freed, unless there is only one. */
  join(caches: readonly KvCache[]): Promise<KvCache> {
    return joinCaches(caches, this.#runtime);
  }

  #feeds(segments: Segments, state: KvCache, question: KvCache): { readonly [input: string]: Tensor } {
    const { Tensor } = this.#runtime;
    const feeds: Record<string, Tensor> = {
      input_ids: new Tensor("int64", segments.ids, [segments.rows, segments.length]),
      segment_type: new Tensor("int64", BigInt64Array.of(SEGMENT_TYPE[segments.role]), [1]),
      first_position: new Tensor("int64", BigInt64Array.of(BigInt(segments.firstPosition)), [1]),
    };
    for (const part of this.#parts) {
      feeds[`state.${part}`] = tensorNamed(state.tensors, part);
      feeds[`question.${part}`] = tensorNamed(question.tensors, part);
    }
    if (this.#hasEmptyTensors) return feeds;
    return { ...feeds, state_mask: this.#maskOf(state), question_mask: this.#maskOf(question) };
  }

  #maskOf(cache: KvCache): Tensor {
    return new this.#runtime.Tensor("float32", Float32Array.of(cache === this.nothing ? MASKED : SEEN), [1]);
  }
}
