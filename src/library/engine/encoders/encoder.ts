import type { Runtime, Session, Tensor } from "../runtime.ts";
import { runtimeFailed } from "../devices.ts";
import type { EncoderInput, EncoderManifest } from "./manifest.ts";

/** A row as an encoder reads it: token ids, special ones included, and the token type of each. */
export interface Sequence {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

/** Runs a published graph: sequences in, float32 numbers of each out. */
export class Encoder {
  readonly #session: Session;
  readonly #runtime: Runtime;
  readonly #graph: EncoderManifest["graph"];
  readonly #padId: number;

  /** @param padId the token that shorter rows end in, where the attention mask is 0 */
  constructor(session: Session, runtime: Runtime, { graph }: Pick<EncoderManifest, "graph">, padId: number) {
    this.#session = session;
    this.#runtime = runtime;
    this.#graph = graph;
    this.#padId = padId;
  }

  /**
   * The graph's output, row by row.
   * @param outputs how many numbers each row has
   * @param isSurplusLeftOut whether the graph may give further numbers of one row, which are left out. Default: false.
   * @throws {DecideError} `backend_failed`
   */
  async read(rows: readonly Sequence[], outputs: number, isSurplusLeftOut = false): Promise<Float32Array> {
    const { inputs, output } = this.#graph;
    try {
      const feeds = Object.fromEntries(inputs.map((input) => [input, this.#tensorOf(input, rows)]));
      const result = (await this.#session.run(feeds, [output]))[output];
      if (result === undefined) throw new TypeError(`the graph has no ${output}`);
      const { dims } = result;
      const [given = 0, numbers = 0] = dims;
      const isSurplus = isSurplusLeftOut && rows.length === 1 && numbers > outputs;
      if (dims.length !== 2 || given !== rows.length || (numbers !== outputs && !isSurplus))
        throw new TypeError(`the graph gave ${dims.join(" x ")} numbers, not ${rows.length} x ${outputs}`);
      return floatsOf(result).subarray(0, rows.length * outputs);
    } catch (cause) {
      throw runtimeFailed(cause);
    }
  }

  release(): Promise<void> {
    return this.#session.release();
  }

  #tensorOf(input: EncoderInput, rows: readonly Sequence[]): Tensor {
    const length = Math.max(...rows.map(({ ids }) => ids.length));
    const [padding, valuesOf] = this.#valuesFor(input);
    const values = new BigInt64Array(rows.length * length).fill(BigInt(padding));
    rows.forEach((row, i) => {
      values.set(valuesOf(row).map(BigInt), i * length);
    });
    return new this.#runtime.Tensor("int64", values, [rows.length, length]);
  }

  /** What an input has for padding, and for a row. */
  #valuesFor(input: EncoderInput): [number, (row: Sequence) => readonly number[]] {
    switch (input) {
      case "input_ids":
        return [this.#padId, ({ ids }) => ids];
      case "attention_mask":
        return [0, ({ ids }) => ids.map(() => 1)];
      case "token_type_ids":
        return [0, ({ types }) => types];
    }
  }
}

/** A tensor's numbers as float32. Graphs in half precision may give such numbers. */
function floatsOf({ data, type }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  if (type !== "float16") throw new TypeError(`a tensor of the graph holds ${type}, not float32`);
  // Where JavaScript has no such numbers yet, the runtime gives their bits.
  return data instanceof Uint16Array ? Float32Array.from(data, halfOf) : Float32Array.from(data as unknown as ArrayLike<number>);
}

/** A number by its 16 bits: sign, 5 of the exponent, 10 of the fraction (IEEE 754 binary16). */
export function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
