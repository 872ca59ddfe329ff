import { isPlainObject } from "../../../library/validation/shape.ts";
import type { Tally } from "../tally.ts";
import { sha256 } from "./run-file.ts";

/** What is on the queue: a block of a run, by reference. No text of any row. */
export interface ChunkJob {
  /** Absolute path of the folder with the run file, where the chunk is put. */
  readonly folder: string;
  /** SHA-256 of the run file. */
  readonly run: string;
  readonly block: number;
  /** SHA-256 of the block's rows as they were read. */
  readonly input: string;
  /** Where its rows are, for people. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The results of a block. */
export interface Chunk {
  readonly tally: Tally;
  /** Lines of results, each with its end. */
  readonly lines: string;
  /** Why the run ends in this block; "" if it goes on. */
  readonly stops: string;
}

/** Follows from everything that the results depend on: equal ids, equal bytes. */
export function chunkId({ run, block, input }: ChunkJob): string {
  return sha256(`${run} ${block} ${input}`);
}

/** The chunk's name among those of its run. */
export function chunkName(job: ChunkJob): string {
  return `${job.block}-${chunkId(job).slice(0, 16)}.jsonl`;
}

/** A chunk as a text: a line that says what it is, then the lines of results. */
export function textOfChunk(job: ChunkJob, { tally, lines, stops }: Chunk): string {
  const { run, block, input } = job;
  return `${JSON.stringify({ umpire_chunk: 1, run, block, input, output: sha256(lines), tally, stops })}\n${lines}`;
}

/** @returns undefined unless the text is that chunk, and whole */
export function chunkIn(text: string, job: ChunkJob): Chunk | undefined {
  const end = text.indexOf("\n");
  const head = headIn(text.slice(0, end));
  const lines = text.slice(end + 1);
  if (head?.["umpire_chunk"] !== 1 || head["output"] !== sha256(lines)) return undefined;
  if (head["run"] !== job.run || head["block"] !== job.block || head["input"] !== job.input) return undefined;
  const { tally, stops } = head as unknown as Chunk;
  return { tally, lines, stops };
}

function headIn(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
