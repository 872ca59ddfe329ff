import { createHash } from "node:crypto";
import { BadInput } from "../cli/bad-input.ts";
import type { PreparedInput, PreparedRow } from "./input/prepare.ts";

const ADVICE = "Give the rows that were given then; or give --restart, which throws away what is done.";

/** SHA-256 of a block's rows as they were read, and where they are. */
export class BlockDigest {
  readonly block: number;
  readonly firstLine: number;
  readonly #hash = createHash("sha256");
  #lastLine: number;

  /** @param first the block's first row, which is to be added, too */
  constructor(block: number, first: PreparedRow) {
    this.block = block;
    this.firstLine = first.line;
    this.#lastLine = first.line;
  }

  get lastLine(): number {
    return this.#lastLine;
  }

  add({ line, content }: PreparedRow): void {
    // The line is part of results, too.
    this.#hash.update(`${line} ${content}\n`);
    this.#lastLine = line;
  }

  /** Of the rows so far, in hexadecimal digits. */
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

  /** @throws {BadInput} unless the rows are those that were answered */
  compare(read: BlockDigest): void {
    const { name, unit } = this.#input;
    if (this.#left.get(read.block) !== read.digest())
      throw new BadInput(
        `${name} has changed: ${unit}s ${read.firstLine} to ${read.lastLine} are not those that were answered before. ${ADVICE}`,
      );
    this.#left.delete(read.block);
  }

  /** To be called after the last row. @throws {BadInput} unless all were compared */
  end(): void {
    if (this.#left.size > 0) throw new BadInput(`${this.#input.name} has fewer rows than were answered before. ${ADVICE}`);
  }
}
