import { hash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type * as BullMq from "bullmq";
import type { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { unlessMissing } from "../../../files/system-errors.ts";
import type { SavedLesson } from "../../../library/lessons/lesson.ts";
import { AS_USUAL, replaceFile } from "../../../files/replace.ts";
import { jsonObjectIn } from "../../rows/json-text.ts";
import type { Plan } from "../plan.ts";
import type { Tally } from "../tally.ts";
import { badInput, ToolError } from "../../tool-error.ts";
import { connectRedis as connectFirst } from "../../../service/node/ledger/redis/redis-client.ts";
import { loadOptional } from "../../../files/optional-dependency.ts";

/** A job of the queue: a block of a run, by reference. It holds no text of any row. */
export interface ChunkJob {
  /** Absolute path of the folder with the run file, where the chunk is put. */
  readonly folder: string;
  readonly run: string;
  readonly block: number;
  /** SHA-256 of the block's rows as they were read. */
  readonly input: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface Chunk {
  readonly tally: Tally;
  readonly lines: string;
  /** Why the run ends in this block; "" if it goes on. */
  readonly stops: string;
}

/** Follows from everything that the results depend on: equal ids, equal bytes. */
export function chunkId({ run, block, input }: ChunkJob): string {
  return hash("sha256", `${run} ${block} ${input}`);
}

export function chunkFile(job: ChunkJob): string {
  return join(job.folder, `${job.block}-${chunkId(job).slice(0, 16)}.jsonl`);
}

/** A chunk as a text: a line that says what it is, then the lines of results. */
export function textOfChunk(job: ChunkJob, { tally, lines, stops }: Chunk): string {
  const { run, block, input } = job;
  return `${JSON.stringify({ umpire_chunk: 1, run, block, input, output: hash("sha256", lines), tally, stops })}\n${lines}`;
}

/** @returns undefined unless the text is that chunk, and whole */
export function chunkIn(text: string, job: ChunkJob): Chunk | undefined {
  const end = text.indexOf("\n");
  const head = jsonObjectIn(text.slice(0, end));
  const lines = text.slice(end + 1);
  if (head?.["umpire_chunk"] !== 1 || head["output"] !== hash("sha256", lines)) return undefined;
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
  readonly lessons: readonly SavedLesson[];
}

const NAME = "run.json";

/** Puts a run file beside the chunks. What was there before is of another run. @returns SHA-256 of its text, which stands for it on the queue */
export async function putRunFile(folder: string, run: RunFile): Promise<string> {
  const text = `${JSON.stringify(run)}\n`;
  const file = join(folder, NAME);
  if ((await textAt(file)) !== text) await replaceFile(file, text, AS_USUAL);
  return hash("sha256", text);
}

/** The run file if it is that of a digest; undefined if that run is over, or was begun in another way. */
export async function readRunFile(folder: string, digest: string): Promise<RunFile | undefined> {
  const text = await textAt(join(folder, NAME));
  return text !== undefined && hash("sha256", text) === digest ? (JSON.parse(text) as RunFile) : undefined;
}

/** The text of a file, read as it is now; undefined if there is none. */
export function textAt(file: string): Promise<string | undefined> {
  return unlessMissing(readFile(file, "utf8"));
}

/** Removes the chunks of a run, and all else in their folder. Nothing can be put there any more. */
export async function removeFolder(folder: string): Promise<void> {
  // A worker may be writing there.
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Where jobs of an earlier coordinator may be. Those that a worker is at are left to it. */
const WAITING = ["waiting", "delayed", "failed"] as const;
const PAGE = 1000;

/** State of a job: it waits or runs; it has failed, and why; or it is not on the queue: done, or lost. */
type JobState = { readonly is: "queued" | "gone" } | { readonly is: "failed"; readonly reason: string };

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
    // Their warnings are of what was checked before.
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

  async workers(): Promise<number | undefined> {
    return this.#queue.getWorkersCount().catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([this.#events.close(), this.#queue.close()]);
  }
}

/** Of all runs: workers serve whatever is on it. */
export const QUEUE_NAME = "umpire";

/** How often a chunk is tried on any machines. A worker that fails rests before it takes another one, so one bad machine does not use them all. */
export const ATTEMPTS = 5;

const JOB_OPTIONS: BullMq.DefaultJobOptions = {
  attempts: ATTEMPTS,
  backoff: { type: "exponential", delay: 500 },
  // A failed one says why, until its run begins again or is forgotten.
  removeOnComplete: true,
  removeOnFail: { age: 7 * 24 * 3600 },
  stackTraceLimit: 0,
};

export function loadBullMq(): Promise<typeof BullMq> {
  return loadOptional("A queue", "bullmq", () => import("bullmq"));
}

const CONNECT_TIMEOUT_MS = 10_000;

export type OnNotice = (message: string) => void;

/**
 * Connects to the Redis of a queue. Once it was there, it may go and come back: whatever is asked meanwhile waits.
 * @param url redis:// or rediss://
 * @throws {ToolError} for another URL, and if it cannot be reached; {DecideError} if the package for it is not installed
 */
export async function connectRedis(url: string, onNotice: OnNotice): Promise<Redis> {
  const place = placeIn(url);
  const { Redis } = await loadOptional("A queue", "ioredis", () => import("ioredis"));
  const redis = await connectFirst(
    // BullMQ asks for no limit of retries: what waits for a job waits for ever.
    (options) => new Redis(url, { ...options, connectTimeout: CONNECT_TIMEOUT_MS, maxRetriesPerRequest: null }),
  ).catch((error: unknown) => {
    throw new ToolError(whyNotConnected(place, error), { cause: error });
  });
  let isLost = false;
  redis.on("close", () => {
    if (isLost || redis.status === "end") return;
    isLost = true;
    onNotice(`The Redis server at ${place} is gone. Waiting until it is back.`);
  });
  redis.on("ready", () => {
    if (isLost) onNotice(`The Redis server at ${place} is back.`);
    isLost = false;
  });
  return redis;
}

/** Host and port, for messages: the URL may have a password. */
function placeIn(url: string): string {
  const { protocol, host } = URL.canParse(url) ? new URL(url) : { protocol: "", host: "" };
  if ((protocol !== "redis:" && protocol !== "rediss:") || host === "")
    throw badInput("--queue must be the URL of a Redis: redis://user:password@host:6379/0, or rediss:// for TLS.");
  return host;
}

function whyNotConnected(place: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (/^(?:NOAUTH|WRONGPASS|NOPERM)/u.test(message))
    return `The Redis server at ${place} refuses this user. Give user and password in the URL: redis://user:password@host:6379`;
  return `The Redis server at ${place} cannot be reached${code === undefined ? "" : ` (${code})`}. Is it running there?`;
}

/**
 * A queue must outlive a restart of its Redis. What is lost is put there again, but the workers stand idle until that is noticed.
 * @param isVolatileAllowed whether a Redis is taken that forgets all when it ends
 * @throws {ToolError} for such a Redis
 */
export async function checkKeeps(redis: Pick<Redis, "info">, isVolatileAllowed: boolean, onNotice: OnNotice): Promise<void> {
  // Not by CONFIG GET, which services that run a Redis for others forbid.
  const info = await redis.info().catch(() => "");
  const valueOf = (name: string): string | undefined => new RegExp(`^${name}:(\\S+)`, "mu").exec(info)?.[1];
  const keepsLog = valueOf("aof_enabled");
  if (keepsLog === undefined)
    onNotice("The Redis server does not say whether it keeps an append-only file. Without one, it loses the queue at a restart.");
  if (keepsLog === "0" && !isVolatileAllowed)
    throw badInput(
      "The Redis server keeps no append-only file, and loses the queue at a restart. Set its appendonly to yes, also in its configuration file; or give --allow-volatile-queue.",
    );
  const policy = valueOf("maxmemory_policy");
  if (policy !== undefined && policy !== "noeviction")
    onNotice(`The Redis server may drop parts of the queue when its memory is full (${policy}). Set its maxmemory-policy to noeviction.`);
}
