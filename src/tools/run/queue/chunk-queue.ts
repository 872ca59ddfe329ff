import type { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import type { Tally } from "../tally.ts";
import { JOB_OPTIONS, loadBullMq, QUEUE_NAME } from "./bullmq.ts";
import { chunkId } from "./chunk.ts";
import type { ChunkJob } from "./chunk.ts";

/** Where jobs of an earlier coordinator may be. Those that a worker is at are left to it. */
const WAITING = ["waiting", "delayed", "failed"] as const;
const PAGE = 1000;

/** What became of a job: it waits or runs; it has failed, and why; or it is not on the queue: done, or lost. */
export type JobState = { readonly is: "queued" | "gone" } | { readonly is: "failed"; readonly reason: string };

/** The queue, as whoever wants chunks sees it. */
export class ChunkQueue {
  readonly #queue: Queue<ChunkJob>;
  readonly #events: QueueEvents;

  private constructor(queue: Queue<ChunkJob>, events: QueueEvents) {
    this.#queue = queue;
    this.#events = events;
  }

  /** @param onEnded told of each job that has ended, of whatever run: with what was counted, if it went well */
  static async open(redis: Redis, onEnded: (id: string, tally: Tally | undefined) => void): Promise<ChunkQueue> {
    const { Queue, QueueEvents } = await loadBullMq();
    // What they warn of was checked before.
    const options = { connection: redis, skipVersionCheck: true };
    const queue = new Queue<ChunkJob>(QUEUE_NAME, { ...options, defaultJobOptions: JOB_OPTIONS });
    const events = new QueueEvents(QUEUE_NAME, options);
    // A lost connection is told elsewhere. What else fails is asked for again.
    queue.on("error", () => undefined);
    events.on("error", () => undefined);
    events.on("completed", ({ jobId, returnvalue }) => {
      onEnded(jobId, (returnvalue as Tally | null) ?? undefined);
    });
    events.on("failed", ({ jobId }) => {
      onEnded(jobId, undefined);
    });
    await Promise.all([queue.waitUntilReady(), events.waitUntilReady()]);
    return new ChunkQueue(queue, events);
  }

  /** Puts a job at the end of the queue. One that is there is not put there again. */
  async put(job: ChunkJob): Promise<void> {
    await this.#queue.add("chunk", job, { jobId: chunkId(job) });
  }

  async stateOf(job: ChunkJob): Promise<JobState> {
    const found = await this.#queue.getJob(chunkId(job));
    if (found === undefined) return { is: "gone" };
    return (await found.isFailed()) ? { is: "failed", reason: found.failedReason } : { is: "queued" };
  }

  /** Removes the jobs of a folder that wait or have failed. */
  async drop(folder: string): Promise<void> {
    for (const state of WAITING) {
      for (let from = 0; ;) {
        const jobs = await this.#queue.getJobs(state, from, from + PAGE - 1);
        if (jobs.length === 0) break;
        const ours = jobs.filter((job) => job.data.folder === folder);
        // One that a worker takes in this moment stays.
        await Promise.all(ours.map((job) => job.remove().catch(() => undefined)));
        from += jobs.length - ours.length;
      }
    }
  }

  /** Undefined if the server does not tell. */
  async workers(): Promise<number | undefined> {
    return this.#queue.getWorkersCount().catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([this.#events.close(), this.#queue.close()]);
  }
}
