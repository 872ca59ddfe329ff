import type { DeciderOptions } from "../../decider/decider.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ChunkJob } from "../../run/queue/chunk.ts";
import { connectRedis } from "../../run/queue/redis.ts";
import { work } from "../../run/queue/work.ts";
import type { WorkOptions } from "../../run/queue/work.ts";
import type { Tally } from "../../run/tally.ts";
import { durationOf } from "../output/progress-line.ts";
import { thisMachine, workersFor } from "../serve-workers.ts";
import { numberText, rowsText } from "./counts.ts";
import { isForPerson } from "./is-for-person.ts";
import { notice } from "./notice.ts";
import { createRowsDecider } from "./rows-decider.ts";

export interface WorkerFlags {
  readonly queue: string;
  readonly workers?: number;
  readonly threads?: number;
}

/** Answers the chunks of a queue until a signal ends it. */
export async function workForQueue(
  platform: Platform,
  { queue, workers, threads }: WorkerFlags,
  times: Pick<WorkOptions, "lostAfterMs" | "firstRestMs"> = {},
): Promise<void> {
  const shares = workersFor({ workers, threads }, await thisMachine());
  const stopping = new AbortController();
  // A second signal ends the process at once.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      stopping.abort();
    });
  const redis = await connectRedis(queue, notice);
  notice("Waiting for chunks of umpire run --queue.");
  try {
    await work(
      redis,
      {
        openDecider: ({ plan, model }) => {
          // As they are said by a decider; another one checks them.
          const { device, precision } = plan.model as Pick<DeciderOptions, "device" | "precision">;
          return createRowsDecider(platform, { model, device, precision, ...shares });
        },
        isForPerson,
      },
      { signal: stopping.signal, onDone: tellDone, onFailed: tellFailed, ...times },
    );
  } finally {
    redis.disconnect();
  }
}

function tellDone(job: ChunkJob, tally: Tally | undefined, seconds: number): void {
  if (tally === undefined) notice(`${placeOf(job)}: nobody wants them any more.`);
  else
    notice(
      `${placeOf(job)}: ${rowsText(tally.rows)} in ${durationOf(1000 * seconds)}${tally.failed > 0 ? `, ${rowsText(tally.failed)} without an answer` : ""}`,
    );
}

function tellFailed(job: ChunkJob, error: unknown, restMs: number): void {
  const why = error instanceof Error ? error.message : String(error);
  notice(`${placeOf(job)}: failed. ${why} Resting for ${durationOf(restMs)}.`);
}

/** Where the rows of a chunk are. */
function placeOf({ folder, firstLine, lastLine }: ChunkJob): string {
  return `${folder.replace(/\.chunks$/u, "")}, ${numberText(firstLine)} to ${numberText(lastLine)}`;
}
