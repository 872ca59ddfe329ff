import type { RowOrWrong } from "../rows/row.ts";
import { BlockDigest } from "./block-digest.ts";
import type { PreparedInput, PreparedRow } from "./input/prepare.ts";
import { selected } from "./input/selected.ts";
import type { Plan } from "./plan.ts";

/** The rows of a block. */
export interface InputBlock {
  /** Number of the block in the input, from 0. */
  readonly block: number;
  /** One or more. */
  readonly rows: readonly PreparedRow[];
  readonly digest: BlockDigest;
}

/** The rows of an input, a block at a time, in order. */
export class InputBlocks {
  readonly #input: PreparedInput;
  readonly #size: number;
  readonly #rows: AsyncGenerator<RowOrWrong, void, void>;
  #read = 0;

  constructor(plan: Pick<Plan, "rows" | "block">, input: PreparedInput) {
    this.#input = input;
    this.#size = plan.block;
    this.#rows = selected(input.rows, plan.rows);
  }

  /** How many rows were read. */
  get read(): number {
    return this.#read;
  }

  /** The block that `next` gives, if there are so many. */
  get at(): number {
    return Math.ceil(this.#read / this.#size);
  }

  /** Passes over the rows before a block. They cost no more than reading them. */
  async skipTo(block: number): Promise<void> {
    while (this.#read < block * this.#size && (await this.#rows.next()).done !== true) this.#read++;
  }

  /** The next block; undefined after the last one. @throws {BadInput} if the rest of the input cannot be read */
  async next(): Promise<InputBlock | undefined> {
    const block = this.at;
    const rows: PreparedRow[] = [];
    let digest: BlockDigest | undefined;
    while (rows.length < this.#size) {
      const read = await this.#rows.next();
      if (read.done === true) break;
      this.#read++;
      const row = this.#input.prepared(read.value);
      digest ??= new BlockDigest(block, row);
      digest.add(row);
      rows.push(row);
    }
    return digest && { block, rows, digest };
  }

  /** Closes the input. */
  async close(): Promise<void> {
    await this.#rows.return();
    await this.#input.rows.return();
  }
}
