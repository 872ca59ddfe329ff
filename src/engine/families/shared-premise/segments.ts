import type { Manifest } from "../../pack/manifest.ts";
import type { Runtime, Session, Tensor } from "../../runtime.ts";

/** Keys and values of what was read, by layer: float32 [1, heads, tokens, head size] each. They lie where the model runs. */
export interface KvCache {
  readonly tokens: number;
  /** `0.key`, `0.value`, `1.key`, ... */
  readonly tensors: ReadonlyMap<string, Tensor>;
}

/** What is added to the attention scores of a memory: to those of a masked one so little that its softmax weights are exactly 0. */
const SEEN = 0;
const MASKED = -1e4;

export type SegmentRole = "state" | "question" | "option";

/** Segments of one length in one row each; shorter ones end in padding. */
export interface Segments {
  readonly role: SegmentRole;
  readonly rows: number;
  /** Tokens a row, with the special ones. */
  readonly length: number;
  /** Token ids, row by row. */
  readonly ids: BigInt64Array;
  /** Position of each row's first token. */
  readonly firstPosition: number;
}

export interface SegmentsRead {
  /** float32 [rows, 3] */
  readonly logits: Float32Array;
  /** KvCache of these segments, padding included. */
  readonly memory: KvCache;
}

const SEGMENT_TYPE = { state: 0n, question: 1n, option: 2n } as const;

/** Runs the segment graph: segments see themselves and the memories that they are given. */
export class SegmentReader {
  /** KvCache of nothing. */
  readonly nothing: KvCache;
  readonly #session: Session;
  readonly #runtime: Runtime;
  readonly #parts: readonly string[];
  readonly #masks: boolean;

  /** @param masks whether the graph has masks for its memories, as those for GPUs, which have no tensors of no elements. */
  constructor(session: Session, runtime: Runtime, { network }: Manifest, masks: boolean) {
    this.#session = session;
    this.#runtime = runtime;
    this.#parts = Array.from({ length: network.layers }, (_, layer) => [`${layer}.key`, `${layer}.value`]).flat();
    this.#masks = masks;
    const rows = masks ? 1 : 0;
    const empty = new runtime.Tensor("float32", new Float32Array(network.heads * rows * network.headSize), [
      1,
      network.heads,
      rows,
      network.headSize,
    ]);
    this.nothing = { tokens: 0, tensors: new Map(this.#parts.map((part) => [part, empty])) };
  }

  async read(segments: Segments, state: KvCache, question: KvCache): Promise<SegmentsRead> {
    const { Tensor } = this.#runtime;
    const feeds: Record<string, Tensor> = {
      input_ids: new Tensor("int64", segments.ids, [segments.rows, segments.length]),
      segment_type: new Tensor("int64", BigInt64Array.of(SEGMENT_TYPE[segments.role]), [1]),
      first_position: new Tensor("int64", BigInt64Array.of(BigInt(segments.firstPosition)), [1]),
    };
    for (const part of this.#parts) {
      feeds[`state.${part}`] = named(state.tensors, part);
      feeds[`question.${part}`] = named(question.tensors, part);
    }
    if (this.#masks) {
      feeds["state_mask"] = this.#maskOf(state);
      feeds["question_mask"] = this.#maskOf(question);
    }
    // Options are never seen again: only their logits are fetched.
    const fetches = segments.role === "option" ? ["logits"] : ["logits", ...this.#parts.map((part) => `present.${part}`)];
    const results = new Map(Object.entries(await this.#session.run(feeds, fetches)));
    const tensors = new Map(segments.role === "option" ? [] : this.#parts.map((part) => [part, named(results, `present.${part}`)]));
    return { logits: floats(named(results, "logits")), memory: { tokens: segments.rows * segments.length, tensors } };
  }

  #maskOf(memory: KvCache): Tensor {
    return new this.#runtime.Tensor("float32", Float32Array.of(memory === this.nothing ? MASKED : SEEN), [1]);
  }

  /** Frees a memory that no run will see again. */
  forget(memory: KvCache): void {
    if (memory === this.nothing) return;
    for (const tensor of memory.tensors.values()) tensor.dispose();
  }

  /** Memories side by side, in order. They themselves are then forgotten, unless there is only one. */
  async join(memories: readonly KvCache[]): Promise<KvCache> {
    const [only] = memories;
    if (memories.length === 1 && only !== undefined) return only;
    const tokens = memories.reduce((sum, memory) => sum + memory.tokens, 0);
    const tensors = new Map<string, Tensor>();
    for (const part of this.#parts) {
      const parts = memories.map((memory) => named(memory.tensors, part));
      // A GPU's tensors come to the processor for it: a state of more than one window is rare enough.
      tensors.set(part, this.#joined(parts, await Promise.all(parts.map(downloaded)), tokens));
    }
    for (const memory of memories) this.forget(memory);
    return { tokens, tensors };
  }

  /** Tensors [1, heads, tokens, head size] joined along their tokens: head by head, the rows of each lie together. */
  #joined(tensors: readonly Tensor[], contents: readonly Float32Array[], tokens: number): Tensor {
    const [, heads = 0, , headSize = 0] = tensors[0]?.dims ?? [];
    const whole = new Float32Array(heads * tokens * headSize);
    let at = 0;
    for (let head = 0; head < heads; head++) {
      for (const data of contents) {
        const size = data.length / heads;
        whole.set(data.subarray(head * size, (head + 1) * size), at);
        at += size;
      }
    }
    return new this.#runtime.Tensor("float32", whole, [1, heads, tokens, headSize]);
  }
}

function named(tensors: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const tensor = tensors.get(name);
  if (tensor === undefined) throw new TypeError(`the graph has no ${name}`);
  return tensor;
}

function floats(tensor: Tensor): Float32Array {
  return asFloats(tensor.data, tensor);
}

async function downloaded(tensor: Tensor): Promise<Float32Array> {
  return asFloats(await tensor.getData(), tensor);
}

function asFloats(data: Tensor["data"], { type }: Tensor): Float32Array {
  if (!(data instanceof Float32Array)) throw new TypeError(`a tensor of the graph holds ${type}, not float32`);
  return data;
}
