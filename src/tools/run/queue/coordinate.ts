import { rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { unlessMissing } from "../../../files/system-errors.ts";
import { badInput, ToolError } from "../../tool-error.ts";
import { DoneBlocks, InputBlocks } from "../blocks.ts";
import type { PreparedInput } from "../input.ts";
import type { Output } from "../output.ts";
import { sumOf, totalOf, type Tally } from "../tally.ts";
import { ATTEMPTS, chunkFile, chunkId, chunkIn, ChunkQueue, putRunFile, removeFolder, textOf } from "./chunk.ts";
import type { Chunk, ChunkJob, OnNotice, RunFile } from "./chunk.ts";

/** A chunk that was asked for, and was not joined yet. */
class WantedChunk {
  readonly job: ChunkJob;
  /** Whether what was counted in it is part of the progress that was told. */
  isCounted = false;
  #ending = new AbortController();

  constructor(job: ChunkJob) {
    this.job = job;
  }

  /** To be called when the queue says that its job has ended, well or not. */
  end(): void {
    this.#ending.abort();
  }

  /** Resolves once its job has ended since this was awaited the last time, or after a time. */
  async ended(timeoutMs: number): Promise<void> {
    await sleep(timeoutMs, undefined, this.#ending).catch(() => undefined);
    this.#ending = new AbortController();
  }
}

/** Chunks that are asked for before the first of them is joined: work for many machines, and a bound for the queue and the folder. */
const MAX_AHEAD = 10_000;
/** How often the folder is looked into, should the queue's word have been lost. */
const LOOK_MS = 5_000;

/**
 * Has the blocks of an input answered by the workers of a queue, and joins them in order. What the queue says is a hint alone: what is in the folder counts, so
 * nothing is lost with the queue.
 * @param folder which all machines share, and where the chunks are until they are joined
 * @param onProgress called with what was counted so far, also by earlier runs, in any order of the rows
 * @returns what was counted, also by earlier runs
 * @throws {ToolError} if the rows that were answered before are no longer the same; for a row that is wrong, if that ends the run; if the input cannot be read
 * @throws {ToolError} for a chunk that no worker could make
 */
export async function coordinate(
  redis: Redis,
  folder: string,
  run: RunFile,
  input: PreparedInput,
  output: Output,
  onNotice: OnNotice,
  onProgress: (sum: Tally) => void,
): Promise<Tally> {
  const blocks = new InputBlocks(run.plan, input);
  const done = new DoneBlocks(output.done, input);
  const digest = await putRunFile(folder, run);
  const wanted = new Map<string, WantedChunk>();
  let sum = totalOf(output.done);
  let shown = sum;
  const show = (chunk: WantedChunk, tally: Tally): void => {
    if (!chunk.isCounted) onProgress((shown = sumOf(shown, tally)));
    chunk.isCounted = true;
  };
  const queue = await ChunkQueue.open(redis, (id, tally) => {
    const chunk = wanted.get(id);
    if (chunk !== undefined && tally !== undefined) show(chunk, tally);
    chunk?.end();
  });
  try {
    await queue.drop(folder);
    if ((await queue.workers()) === 0)
      onNotice("No worker is there yet. Start some, on as many machines as you like: umpire worker --queue ...");
    for (;;) {
      await askForMore();
      const [next] = wanted.values();
      if (next === undefined) break;
      const { tally, lines, stops } = await made(next);
      if (stops !== "") throw badInput(`${input.name}, ${stops}`);
      const { block, input: rows } = next.job;
      if (lines !== "") await output.add(lines);
      await output.commit({ block, input: rows, tally });
      await rm(chunkFile(next.job), { force: true });
      wanted.delete(chunkId(next.job));
      sum = sumOf(sum, tally);
      show(next, tally);
    }
    done.end();
    // Workers that still make a chunk for the second time see that the run is over.
    await removeFolder(folder);
    await output.finish(blocks.read);
    return sum;
  } finally {
    await queue.close();
  }

  /** Reads on and asks for what is not there, until there is no more, or enough for now. */
  async function askForMore(): Promise<void> {
    while (wanted.size < MAX_AHEAD) {
      const read = await blocks.next();
      if (read === undefined) return;
      if (done.has(read.block)) {
        done.compare(read.digest);
        continue;
      }
      const { firstLine, lastLine } = read.digest;
      const job: ChunkJob = { folder, run: digest, block: read.block, input: read.digest.digest(), firstLine, lastLine };
      wanted.set(chunkId(job), new WantedChunk(job));
      await ask(job);
    }
  }

  async function ask(job: ChunkJob): Promise<void> {
    const there = await unlessMissing(stat(chunkFile(job)));
    if (there === undefined) await queue.put(job);
  }

  async function made(chunk: WantedChunk): Promise<Chunk> {
    for (let wasGone = false; ;) {
      const there = await found(chunk.job);
      if (there !== undefined) return there;
      const state = await queue.stateOf(chunk.job);
      if (state.is === "failed") throw failed(chunk.job, input, state.reason);
      const isGone = state.is === "gone";
      // Gone twice: it is not that it has just been done. The queue has lost it, and others with it.
      if (isGone && wasGone) for (const { job } of wanted.values()) await ask(job);
      wasGone = isGone && !wasGone;
      await chunk.ended(LOOK_MS);
    }
  }

  async function found(job: ChunkJob): Promise<Chunk | undefined> {
    const file = chunkFile(job);
    const text = await textOf(file);
    const chunk = text === undefined ? undefined : chunkIn(text, job);
    if (text === undefined || chunk !== undefined) return chunk;
    await rm(file, { force: true });
    throw new ToolError(
      `${basename(file)} in ${folder} was damaged: it is not what a worker wrote. It is removed. The same command goes on, and has it made again.`,
    );
  }
}

function failed({ firstLine, lastLine }: ChunkJob, { name, unit }: PreparedInput, reason: string): ToolError {
  return new ToolError(
    `${name}, ${unit}s ${firstLine} to ${lastLine}: ${ATTEMPTS} attempts of workers failed. The last one: ${reason}\n  Once that is mended, the same command goes on.`,
  );
}
