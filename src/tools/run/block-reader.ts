import type { State } from "../../library/decide/types.ts";
import { present } from "../../library/validation/expect.ts";
import { BlockDigest, DoneBlocks } from "./block-digest.ts";
import type { PreparedInput, PreparedRow } from "./input/prepare.ts";
import { selected } from "./input/selected.ts";
import type { Block } from "./output/output.ts";
import { answersBlock } from "./plan.ts";
import type { Plan } from "./plan.ts";

/** Asked about in place of a state that is not there: it is found wrong at once, and the error comes in its turn. */
const NO_STATE: unknown = undefined;

/** The state to ask about. Of a row that has none, one that is found wrong. */
export function stateOf({ state }: PreparedRow): State {
  return (state ?? NO_STATE) as State;
}

/** A row that is being asked about. */
interface Asked {
  readonly row: PreparedRow;
  readonly block: number;
  /** SHA-256 of the block's rows if this one fills it. */
  readonly digest?: string;
}

/**
 * Deals the rows of an input into blocks by their number. Rows of blocks that are done are compared with what was answered; those of other shards are passed
 * over; those that are left are asked about.
 */
export class BlockReader {
  readonly #plan: Plan;
  readonly #input: PreparedInput;
  readonly #done: DoneBlocks;
  /** Rows that are under way, in order. */
  readonly #asked: Asked[] = [];
  /** The block that is not full yet. */
  #open: BlockDigest | undefined;
  #rows = 0;
  #failure: unknown;

  constructor(plan: Plan, input: PreparedInput, done: readonly Block[]) {
    this.#plan = plan;
    this.#input = input;
    this.#done = new DoneBlocks(done, input);
  }

  /** How many rows were read, those of all shards together. */
  get rows(): number {
    return this.#rows;
  }

  /** The row whose result is next. */
  next(): Asked {
    return present(this.#asked.shift(), "row for a result");
  }

  /** SHA-256 of the rows of the last block, once all are read. */
  lastDigest(): string {
    return present(this.#open, "open block").digest();
  }

  /** What ended `states` too early. */
  get failure(): unknown {
    return this.#failure;
  }

  /** The states to ask about; undefined for a row that has none. @throws {BadInput} if the rows of a block that is done are not the same */
  async *states(): AsyncGenerator<State, void, void> {
    try {
      yield* this.#states();
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  async *#states(): AsyncGenerator<State, void, void> {
    for await (const read of selected(this.#input.rows, this.#plan.rows)) {
      const block = Math.floor(this.#rows / this.#plan.block);
      this.#rows++;
      if (!answersBlock(this.#plan, block)) continue;
      const row = this.#input.prepared(read);
      const open = (this.#open ??= new BlockDigest(block, row));
      open.add(row);
      const isFull = this.#rows % this.#plan.block === 0;
      if (isFull) this.#open = undefined;
      if (!this.#done.has(block)) {
        this.#asked.push({ row, block, ...(isFull && { digest: open.digest() }) });
        yield stateOf(row);
      } else if (isFull) this.#done.compare(open);
    }
    // The last block of an input that was as long as it is now.
    if (this.#open !== undefined && this.#done.has(this.#open.block)) this.#done.compare(this.#open);
    this.#done.end();
  }
}
