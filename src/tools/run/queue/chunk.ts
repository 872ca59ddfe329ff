import { createHash } from "node:crypto";
import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "../../../files/system-errors.ts";
import type { SavedLesson } from "../../../library/lessons/lesson.ts";
import { AS_USUAL, replaceFile } from "../../../files/replace.ts";
import { jsonObjectIn } from "../output.ts";
import type { Plan } from "../plan.ts";
import type { Tally } from "../stats.ts";

/** A job of the queue: a block of a run, by reference. It holds no text of any row. */
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
  const head = jsonObjectIn(text.slice(0, end));
  const lines = text.slice(end + 1);
  if (head?.["umpire_chunk"] !== 1 || head["output"] !== sha256(lines)) return undefined;
  if (head["run"] !== job.run || head["block"] !== job.block || head["input"] !== job.input) return undefined;
  const { tally, stops } = head as unknown as Chunk;
  return { tally, lines, stops };
}

/** A run, as a worker must know it. The file lies beside the chunks, and says that they are still wanted. */
export interface RunFile {
  readonly plan: Plan;
  /** Absolute path of the rows, the same on all machines. */
  readonly input: string;
  /** The model as a worker finds it: its id, or the URL of its folder. */
  readonly model: string;
  /** In the order in which they are learned. */
  readonly lessons: readonly SavedLesson[];
}

const NAME = "run.json";

/** A run file, and SHA-256 of its text, which stands for it on the queue. */
interface SealedRunFile {
  readonly run: RunFile;
  readonly digest: string;
}

/** Puts a run file beside the chunks. What was there before is of another run. */
export async function putRunFile(store: ChunkStore, run: RunFile): Promise<SealedRunFile> {
  const text = `${JSON.stringify(run)}\n`;
  if ((await store.get(NAME)) !== text) await store.put(NAME, text);
  return { run, digest: sha256(text) };
}

/** The text of the run file if it is that of a digest; undefined if that run is over, or was begun in another way. */
export async function readRunFile(store: ChunkStore, digest: string): Promise<RunFile | undefined> {
  const text = await store.get(NAME);
  return text !== undefined && sha256(text) === digest ? (JSON.parse(text) as RunFile) : undefined;
}

/** In hexadecimal digits. */
function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A folder that all machines share, where a run's chunks are until they are joined: texts by their names. */
export class ChunkStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Makes the folder, unless it is there. */
  static async make(path: string): Promise<ChunkStore> {
    await mkdir(path, { recursive: true });
    return new ChunkStore(path);
  }

  /** Undefined if there is none of that name. */
  get(name: string): Promise<string | undefined> {
    return unlessMissing(readFile(join(this.#path, name), "utf8"));
  }

  async has(name: string): Promise<boolean> {
    return (await unlessMissing(stat(join(this.#path, name)))) !== undefined;
  }

  /** A reader sees all of it or nothing, whatever happens to this process or machine. */
  put(name: string, text: string): Promise<void> {
    return replaceFile(join(this.#path, name), text, AS_USUAL);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#path, name), { force: true });
  }

  /** Removes everything. Nothing can be put there any more. */
  async clear(): Promise<void> {
    // A worker may be writing there.
    await rm(this.#path, { recursive: true, force: true, maxRetries: 5 });
  }
}
