import { createHash } from "node:crypto";
import type { RowOrWrong } from "../rows/read-rows.ts";
import type { State } from "../../library/decide/types.ts";
import { badInput } from "../tool-error.ts";
import { selected, type PreparedInput, type PreparedRow } from "./input.ts";
import type { Plan } from "./plan.ts";

/** Asked about in place of a state that is not there: it is found wrong at once, and the error comes in its turn. */
const NO_STATE: unknown = undefined;

/** The state to ask about. Of a row that has none, one that is found wrong. */
export function stateOf({ state }: PreparedRow): State {
  return (state ?? NO_STATE) as State;
}

export interface InputBlock {
  readonly rows: readonly PreparedRow[];
  readonly digest: BlockDigest;
}

/** The rows of an input, a block at a time, in order. */
export class InputBlocks {
  read = 0;
  readonly input: PreparedInput;
  readonly #size: number;
  readonly #rows: AsyncGenerator<RowOrWrong, void, void>;

  constructor(plan: Pick<Plan, "rows" | "block">, input: PreparedInput) {
    this.input = input;
    this.#size = plan.block;
    this.#rows = selected(input.rows, plan.rows);
  }

  /** The block that `next` gives, if there are so many. */
  get at(): number {
    return Math.ceil(this.read / this.#size);
  }

  /** Passes over the rows before a block. They cost no more than reading them. */
  async skipTo(block: number): Promise<void> {
    while (this.read < block * this.#size && (await this.#rows.next()).done !== true) this.read++;
  }

  /** The next block; undefined after the last one. @throws {ToolError} if the rest of the input cannot be read */
  async next(): Promise<InputBlock | undefined> {
    const { at } = this;
    const rows: PreparedRow[] = [];
    let digest: BlockDigest | undefined;
    while (rows.length < this.#size) {
      const read = await this.#rows.next();
      if (read.done === true) break;
      this.read++;
      const row = this.input.prepared(read.value);
      digest ??= new BlockDigest(at, row);
      digest.add(row);
      rows.push(row);
    }
    return digest && { rows, digest };
  }

  async close(): Promise<void> {
    await this.#rows.return();
    await this.input.rows.return();
  }
}

const ADVICE = "Give the rows that were given then; or give --restart, which throws away what is done.";

/** SHA-256 of a block's rows as they were read, and where they are. */
export class BlockDigest {
  readonly block: number;
  readonly firstLine: number;
  lastLine: number;
  readonly #hash = createHash("sha256");

  /** @param first the block's first row, which is to be added, too */
  constructor(block: number, first: PreparedRow) {
    this.block = block;
    this.firstLine = first.line;
    this.lastLine = first.line;
  }

  add({ line, content }: PreparedRow): void {
    // The line is part of results, too.
    this.#hash.update(`${line} ${content}\n`);
    this.lastLine = line;
  }

  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}

/** Blocks that an earlier run answered, whose rows must still be the same. */
export class DoneBlocks {
  /** SHA-256 of their rows. Blocks that were compared are no longer in it. */
  readonly #left: Map<number, string>;
  readonly #input: Pick<PreparedInput, "name" | "unit">;

  constructor(done: readonly { readonly block: number; readonly input: string }[], input: Pick<PreparedInput, "name" | "unit">) {
    this.#left = new Map(done.map(({ block, input }) => [block, input]));
    this.#input = input;
  }

  /** Whether a block is among them, and was not compared yet. */
  has(block: number): boolean {
    return this.#left.has(block);
  }

  /** @throws {ToolError} unless the rows are those that were answered */
  compare(read: BlockDigest): void {
    const { name, unit } = this.#input;
    if (this.#left.get(read.block) !== read.digest())
      throw badInput(
        `${name} has changed: ${unit}s ${read.firstLine} to ${read.lastLine} are not those that were answered before. ${ADVICE}`,
      );
    this.#left.delete(read.block);
  }

  /** To be called after the last row. @throws {ToolError} unless all were compared */
  end(): void {
    if (this.#left.size > 0) throw badInput(`${this.#input.name} has fewer rows than were answered before. ${ADVICE}`);
  }
}
