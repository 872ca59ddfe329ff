import { once } from "node:events";
import { hostname } from "node:os";
import type { Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Decider, DeciderOptions } from "../../../library/decider/decider.ts";
import { AS_USUAL, replaceFile } from "../../../files/replace.ts";
import { ToolError } from "../../tool-error.ts";
import { version } from "../../../version.ts";
import { outcomeOf } from "../answer-rows.ts";
import { NOTHING, sumOf, type Tally } from "../tally.ts";
import { InputBlocks, stateOf, type InputBlock } from "../blocks.ts";
import { openInput, prepare } from "../input.ts";
import { chunkFile, chunkIn, connectRedis, loadBullMq, QUEUE_NAME, readRunFile, textAt, textOfChunk } from "./chunk.ts";
import type { Chunk, ChunkJob, RunFile } from "./chunk.ts";
import type { Platform } from "../../../library/platform/platform.ts";
import { onEndSignal, type CreateDecider, type Io } from "../../cli/io.ts";
import { durationOf, notice } from "../../cli/output/screen.ts";
import { thisMachine, workersFor } from "../../cli/serve-workers.ts";
import { numberText, rowsText } from "../../cli/run/summary.ts";

/** Kills of workers that one chunk survives. BullMQ's default is 1. */
const MAX_STALLED_COUNT = 25;
/** After a failure a worker rests, twice as long each time: other machines take what this one cannot do. */
const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 300_000;

interface WorkTimes {
  /** How long a worker may be silent until its chunk is given to another one. Default: 30,000 */
  readonly lostAfterMs?: number;
  /** How long it rests after the first failure. Default: 5,000 */
  readonly firstRestMs?: number;
}

/**
 * Makes the chunks of a queue, one at a time, until the signal is aborted: the chunk in hand is given back. A model stays loaded as long as chunks are of the same
 * run. It runs in a thread of its own, so the queue hears that this worker is there.
 */
async function work(
  redis: Redis,
  openDecider: OpenDecider,
  say: (message: string) => void,
  signal: AbortSignal,
  { lostAfterMs = 30_000, firstRestMs = FIRST_REST_MS }: WorkTimes,
): Promise<void> {
  const { Worker, WaitingError } = await loadBullMq();
  let here: RunHere | undefined;
  const closeRun = async (): Promise<void> => {
    const closing = here;
    here = undefined;
    await closing?.close();
  };
  /** Puts a chunk where its run wants it, unless it is there. @returns what was counted in it; undefined if its run is over, or was begun anew */
  const make = async (job: ChunkJob): Promise<Tally | undefined> => {
    const run = await readRunFile(job.folder, job.run);
    if (run === undefined) return undefined;
    const file = chunkFile(job);
    const text = await textAt(file);
    const before = text === undefined ? undefined : chunkIn(text, job);
    if (before !== undefined) return before.tally;
    if (here?.digest !== job.run) {
      await closeRun();
      here = await RunHere.open(job.run, run, openDecider);
    }
    const chunk = await here.answer(job, signal);
    try {
      await replaceFile(file, textOfChunk(job, chunk), AS_USUAL);
    } catch (error) {
      // Its run may have ended meanwhile: another worker has made it.
      if ((await readRunFile(job.folder, job.run)) === undefined) return undefined;
      throw error;
    }
    return chunk.tally;
  };
  let restMs = firstRestMs;
  let timer: NodeJS.Timeout | undefined;
  const makeChunk = async (job: Job<ChunkJob>, token?: string): Promise<Tally | undefined> => {
    const startMs = performance.now();
    try {
      const tally = await make(job.data);
      restMs = firstRestMs;
      say(doneText(job.data, tally, performance.now() - startMs));
      return tally;
    } catch (error) {
      if (signal.aborted) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      const why = error instanceof Error ? error.message : String(error);
      say(`${placeOf(job.data)}: failed. ${why} Resting for ${durationOf(restMs)}.`);
      rest(worker);
      throw new Error(`${hostname()}: ${why}`, { cause: error });
    }
  };
  const worker = new Worker<ChunkJob, Tally | undefined>(QUEUE_NAME, makeChunk, {
    connection: redis,
    skipVersionCheck: true,
    lockDuration: lostAfterMs,
    stalledInterval: lostAfterMs / 2,
    maxStalledCount: MAX_STALLED_COUNT,
  });
  // A lost connection is told elsewhere; a chunk that was given to another worker is made twice, to the same bytes.
  worker.on("error", () => undefined);
  if (!signal.aborted) await once(signal, "abort");
  clearTimeout(timer);
  await worker.close();
  await closeRun();

  function rest(resting: Worker): void {
    void resting.pause(true);
    timer = setTimeout(() => void resting.resume(), restMs);
    restMs = Math.min(2 * restMs, LONGEST_REST_MS);
  }
}

type OpenDecider = (run: RunFile) => Decider;

/** A run as a worker has it: the model with its lessons, and the rows, which are read once from start to end as long as blocks come in order. */
export class RunHere {
  readonly digest: string;
  readonly #run: RunFile;
  readonly #decider: Decider;
  #blocks: InputBlocks | undefined;

  private constructor(digest: string, run: RunFile, decider: Decider) {
    this.digest = digest;
    this.#run = run;
    this.#decider = decider;
  }

  /** @throws {ToolError} if this machine would give other answers */
  static async open(digest: string, run: RunFile, openDecider: OpenDecider): Promise<RunHere> {
    const { plan, lessons } = run;
    if (plan.version !== version)
      throw new ToolError(`The run is of umpire ${plan.version}, and this worker is ${version}. Use one version on all machines.`);
    const decider = openDecider(run);
    try {
      const { model, seal, device, precision } = await decider.info();
      if (JSON.stringify({ id: model, seal, device, precision }) !== JSON.stringify(plan.model))
        throw new ToolError(
          `The run is answered by ${plan.model.id} (${plan.model.precision}, ${plan.model.device}) with the seal ${plan.model.seal.slice(0, 8)}, and this worker has ${model} (${precision}, ${device}) with ${seal.slice(0, 8)}.`,
        );
      for (const lesson of lessons) await decider.learn(lesson);
      return new RunHere(digest, run, decider);
    } catch (error) {
      await decider.close();
      throw error;
    }
  }

  /**
   * Answers a block, as a run on one machine answers it.
   * @throws {ToolError} if its rows are not those that the run began with, or cannot be read; `signal.reason` once that is aborted
   */
  async answer(job: ChunkJob, signal: AbortSignal): Promise<Chunk> {
    const { plan } = this.#run;
    const { rows } = await this.#read(job);
    let tally = NOTHING;
    let lines = "";
    const asked = { questions: plan.questions, maxErrorRate: plan.maxErrorRate ?? undefined, signal };
    for await (const result of this.#decider.decideMany(rows.map(stateOf), asked)) {
      const row = rows[result.index];
      if (row === undefined) continue;
      const outcome = outcomeOf(plan, row, result);
      tally = sumOf(tally, outcome.tally);
      if (outcome.stops !== "") return { tally, lines, stops: outcome.stops };
      lines += outcome.line;
    }
    return { tally, lines, stops: "" };
  }

  async close(): Promise<void> {
    await this.#closeRows();
    await this.#decider.close();
  }

  async #read(job: ChunkJob): Promise<InputBlock> {
    if (this.#blocks !== undefined && this.#blocks.at > job.block) await this.#closeRows();
    try {
      const blocks = (this.#blocks ??= await this.#openRows());
      const { name, unit } = blocks.input;
      await blocks.skipTo(job.block);
      const block = await blocks.next();
      if (block?.digest.digest() !== job.input || block.digest.block !== job.block)
        throw new ToolError(
          `${name} is not the same here as where the run was begun, or has changed: ${unit}s ${job.firstLine} to ${job.lastLine} are others.`,
        );
      return block;
    } catch (error) {
      // It may be another file the next time.
      await this.#closeRows();
      throw error;
    }
  }

  async #openRows(): Promise<InputBlocks> {
    const { plan, input: file } = this.#run;
    const { delimiter, quotes } = plan.reading;
    const options = { delimiter: delimiter ?? undefined, quotes: quotes ?? undefined };
    const wanted = { state: plan.state, id: plan.id ?? undefined, copy: plan.copiesAll ? undefined : plan.columns, taken: plan.taken };
    return new InputBlocks(plan, await prepare(await openInput(file, options), wanted));
  }

  async #closeRows(): Promise<void> {
    await this.#blocks?.close();
    this.#blocks = undefined;
  }
}

export interface WorkerFlags {
  readonly queue: string;
  readonly workers?: number;
  readonly threads?: number;
}

export async function workForQueue(
  io: Io,
  platform: Platform,
  createDecider: CreateDecider,
  { queue, workers, threads }: WorkerFlags,
  times: WorkTimes = {},
): Promise<void> {
  const shares = workersFor({ workers, threads }, await thisMachine(platform));
  const say = (message: string): void => {
    notice(io, message);
  };
  const stopping = new AbortController();
  const ignoreSignals = onEndSignal(() => {
    stopping.abort();
  });
  try {
    const redis = await connectRedis(queue, say);
    say("Waiting for chunks of umpire run --queue.");
    try {
      const openDecider: OpenDecider = ({ plan, model }) => {
        // As they are said by a decider; another one checks them.
        const { device, precision } = plan.model as Pick<DeciderOptions, "device" | "precision">;
        return createDecider({ model, device, precision, ...shares, cacheBytes: 0 });
      };
      await work(redis, openDecider, say, stopping.signal, times);
    } finally {
      redis.disconnect();
    }
  } finally {
    ignoreSignals();
  }
}

/** @param tally undefined: its run is over */
function doneText(job: ChunkJob, tally: Tally | undefined, ms: number): string {
  if (tally === undefined) return `${placeOf(job)}: nobody wants them any more.`;
  const failed = tally.failed > 0 ? `, ${rowsText(tally.failed)} without an answer` : "";
  return `${placeOf(job)}: ${rowsText(tally.rows)} in ${durationOf(ms)}${failed}`;
}

function placeOf({ folder, firstLine, lastLine }: ChunkJob): string {
  return `${folder.replace(/\.chunks$/u, "")}, ${numberText(firstLine)} to ${numberText(lastLine)}`;
}
