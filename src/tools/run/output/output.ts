import type { Tally } from "../tally.ts";

/** A block of answered rows. */
export interface Block {
  /** Number of the block in the input, from 0. */
  readonly block: number;
  /** SHA-256 of its rows as they were read, in hexadecimal digits. */
  readonly input: string;
  readonly tally: Tally;
}

/** Where the results of a run go, as lines of JSON. */
export interface Output {
  /** What is done already, by an earlier run: blocks from the first on. Their rows are read again, to see that they are the same. */
  readonly done: readonly Block[];
  /** The next line of the block that is under way. */
  add(line: string): Promise<void>;
  /** Ends the block that is under way. Once this resolves, nothing that can happen to this process or machine loses it. */
  commit(block: Block): Promise<void>;
  /** Puts the results where they were wanted. @param rows how many rows there were, those of all shards together */
  finish(rows: number): Promise<void>;
  /** Leaves everything as it is, to go on another time. */
  close(): Promise<void>;
}
