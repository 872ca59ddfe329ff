import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import { BadInput } from "../cli/bad-input.ts";
import type { State } from "../decide/types.ts";
import { present } from "../validation/expect.ts";
import type { PreparedInput, PreparedRow } from "./input/prepare.ts";
import { selected } from "./input/selected.ts";
import type { Block } from "./output/output.ts";
import { answersBlock } from "./plan.ts";
import type { Plan } from "./plan.ts";

/** Asked about in place of a state that is not there: it is found wrong at once, and the error comes in its turn. */
const NO_STATE: unknown = undefined;
const ADVICE = "Give the rows that were given then; or give --restart, which throws away what is done.";

/** A row that is being asked about. */
interface Asked {
  readonly row: PreparedRow;
  readonly block: number;
  /** SHA-256 of the block's rows if this one fills it. */
  readonly digest?: string;
}

/** The rows of a block so far. */
interface OpenBlock {
  readonly block: number;
  readonly hash: Hash;
  readonly firstLine: number;
  lastLine: number;
}

/**
 * Deals the rows of an input into blocks by their number. Rows of blocks that are done are compared with what was answered; those of other shards are passed
 * over; those that are left are asked about.
 */
export class BlockReader {
  readonly #plan: Plan;
  readonly #input: PreparedInput;
  /** SHA-256 of the rows of blocks that are done, and were not compared yet. */
  readonly #done: Map<number, string>;
  /** Rows that are under way, in order. */
  readonly #asked: Asked[] = [];
  #open: OpenBlock | undefined;
  #rows = 0;
  #failure: unknown;

  constructor(plan: Plan, input: PreparedInput, done: readonly Block[]) {
    this.#plan = plan;
    this.#input = input;
    this.#done = new Map(done.map(({ block, input: digest }) => [block, digest]));
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
    return present(this.#open, "open block").hash.digest("hex");
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
      const open = this.#add(block, row);
      const isFull = this.#rows % this.#plan.block === 0;
      if (isFull) this.#open = undefined;
      const digest = isFull ? open.hash.digest("hex") : undefined;
      if (!this.#done.has(block)) {
        this.#asked.push({ row, block, ...(digest !== undefined && { digest }) });
        yield (row.state ?? NO_STATE) as State;
      } else if (digest !== undefined) this.#compare(open, digest);
    }
    // The last block of an input that was as long as it is now.
    if (this.#open !== undefined && this.#done.has(this.#open.block)) this.#compare(this.#open, this.#open.hash.copy().digest("hex"));
    if (this.#done.size > 0) throw new BadInput(`${this.#input.name} has fewer rows than were answered before. ${ADVICE}`);
  }

  #add(block: number, { line, content }: PreparedRow): OpenBlock {
    this.#open ??= { block, hash: createHash("sha256"), firstLine: line, lastLine: line };
    // The line is part of results, too.
    this.#open.hash.update(`${line} ${content}\n`);
    this.#open.lastLine = line;
    return this.#open;
  }

  #compare({ block, firstLine, lastLine }: OpenBlock, digest: string): void {
    if (this.#done.get(block) !== digest) {
      const { name, unit } = this.#input;
      throw new BadInput(`${name} has changed: ${unit}s ${firstLine} to ${lastLine} are not those that were answered before. ${ADVICE}`);
    }
    this.#done.delete(block);
  }
}
