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
import { ATTEMPTS, chunkFile, chunkId, chunkIn, ChunkQueue, putRunFile, removeFolder, textAt } from "./chunk.ts";
import type { Chunk, ChunkJob, OnNotice, RunFile } from "./chunk.ts";

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
  /** Chunks that were asked for and not joined yet, in order, and those of them whose counts are part of the progress that was told. */
  const wanted = new Map<string, ChunkJob>();
  const counted = new Set<string>();
  /** Aborted when the queue says that the job of the first of them has ended, well or not. */
  let ending = new AbortController();
  let sum = totalOf(output.done);
  let shown = sum;
  const show = (id: string, tally: Tally): void => {
    if (!counted.has(id)) onProgress((shown = sumOf(shown, tally)));
    counted.add(id);
  };
  const queue = await ChunkQueue.open(redis, (id, tally) => {
    if (wanted.has(id) && tally !== undefined) show(id, tally);
    if (id === wanted.keys().next().value) ending.abort();
  });
  try {
    await queue.drop(folder);
    if ((await queue.workers()) === 0)
      onNotice("No worker is there yet. Start some, on as many machines as you like: umpire worker --queue ...");
    for (;;) {
      await askForMore();
      const [next] = wanted;
      if (next === undefined) break;
      const [id, job] = next;
      const { tally, lines, stops } = await made(job);
      if (stops !== "") throw badInput(`${input.name}, ${stops}`);
      if (lines !== "") await output.add(lines);
      await output.commit({ block: job.block, input: job.input, tally });
      await rm(chunkFile(job), { force: true });
      wanted.delete(id);
      sum = sumOf(sum, tally);
      show(id, tally);
      counted.delete(id);
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
      const { block, firstLine, lastLine } = read.digest;
      if (done.has(block)) {
        done.compare(read.digest);
        continue;
      }
      const job: ChunkJob = { folder, run: digest, block, input: read.digest.digest(), firstLine, lastLine };
      wanted.set(chunkId(job), job);
      await ask(job);
    }
  }

  async function ask(job: ChunkJob): Promise<void> {
    const there = await unlessMissing(stat(chunkFile(job)));
    if (there === undefined) await queue.put(job);
  }

  /** @param job the first that is wanted */
  async function made(job: ChunkJob): Promise<Chunk> {
    for (let wasGone = false; ;) {
      // Before it is looked for: should it end meanwhile, it is looked for again at once.
      ending = new AbortController();
      const there = await found(job);
      if (there !== undefined) return there;
      const state = await queue.stateOf(job);
      if (state.is === "failed") throw failed(job, input, state.reason);
      const isGone = state.is === "gone";
      // Gone twice: it is not that it has just been done. The queue has lost it, and others with it.
      if (isGone && wasGone) for (const one of wanted.values()) await ask(one);
      wasGone = isGone && !wasGone;
      await sleep(LOOK_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }

  async function found(job: ChunkJob): Promise<Chunk | undefined> {
    const file = chunkFile(job);
    const text = await textAt(file);
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
