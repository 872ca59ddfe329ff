import type { Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { once } from "node:events";
import { hostname } from "node:os";
import type { Tally } from "../tally.ts";
import { loadBullMq, QUEUE_NAME } from "./bullmq.ts";
import type { ChunkJob } from "./chunk.ts";
import { ChunkMaker } from "./make-chunk.ts";
import type { WorkerTools } from "./run-here.ts";

/** Kills of workers that one chunk survives. BullMQ's default is 1. */
const MAX_STALLED_COUNT = 25;
/** After a failure a worker rests, twice as long each time: other machines take what this one cannot do. */
const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 300_000;

export interface WorkOptions {
  /** Ends the work: the chunk in hand is given back. */
  readonly signal: AbortSignal;
  /** Told of each chunk: with what was counted, or undefined if its run is over. */
  readonly onDone: (job: ChunkJob, tally: Tally | undefined, seconds: number) => void;
  /** Told of each chunk that could not be made here, and how long this worker rests. */
  readonly onFailed: (job: ChunkJob, error: unknown, restMs: number) => void;
  /** How long a worker may be silent until its chunk is given to another one. Default: 30,000 */
  readonly lostAfterMs?: number;
  /** How long it rests after the first failure. Default: 5,000 */
  readonly firstRestMs?: number;
}

/** Makes the chunks of a queue, one at a time, until the signal is aborted. The model runs in a thread of its own, so the queue hears that this worker is there. */
export async function work(redis: Redis, tools: WorkerTools, options: WorkOptions): Promise<void> {
  const { signal, onDone, onFailed, lostAfterMs = 30_000, firstRestMs = FIRST_REST_MS } = options;
  const { Worker, WaitingError } = await loadBullMq();
  const maker = new ChunkMaker(tools);
  let restMs = firstRestMs;
  let timer: NodeJS.Timeout | undefined;
  const makeChunk = async (job: Job<ChunkJob>, token?: string): Promise<Tally | undefined> => {
    const startMs = performance.now();
    try {
      const tally = await maker.make(job.data, signal);
      restMs = firstRestMs;
      onDone(job.data, tally, (performance.now() - startMs) / 1000);
      return tally;
    } catch (error) {
      if (signal.aborted) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      onFailed(job.data, error, restMs);
      rest(worker);
      throw new Error(`${hostname()}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
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
  await maker.close();

  function rest(resting: Worker): void {
    void resting.pause(true);
    timer = setTimeout(() => void resting.resume(), restMs);
    restMs = Math.min(2 * restMs, LONGEST_REST_MS);
  }
}
