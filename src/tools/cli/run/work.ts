import type { DeciderOptions } from "../../../library/decider/decider.ts";
import type { ChunkJob } from "../../run/queue/chunk.ts";
import { connectRedis } from "../../run/queue/chunk.ts";
import type { Platform } from "../../../library/platform/platform.ts";
import { work } from "../../run/queue/work.ts";
import type { WorkOptions } from "../../run/queue/work.ts";
import type { Tally } from "../../run/tally.ts";
import { onEndSignal } from "../terminal.ts";
import type { CreateDecider, Io } from "../io.ts";
import { durationOf, notice } from "../output/progress.ts";
import { thisMachine, workersFor } from "../serve-workers.ts";
import { numberText, rowsText } from "./summary.ts";

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
  times: Pick<WorkOptions, "lostAfterMs" | "firstRestMs"> = {},
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
      await work(
        redis,
        ({ plan, model }) => {
          // As they are said by a decider; another one checks them.
          const { device, precision } = plan.model as Pick<DeciderOptions, "device" | "precision">;
          return createDecider({ model, device, precision, ...shares, cacheBytes: 0 });
        },
        {
          signal: stopping.signal,
          onDone: (job, tally, seconds) => {
            say(doneText(job, tally, seconds));
          },
          onFailed: (job, error, restMs) => {
            say(failedText(job, error, restMs));
          },
          ...times,
        },
      );
    } finally {
      redis.disconnect();
    }
  } finally {
    ignoreSignals();
  }
}

function doneText(job: ChunkJob, tally: Tally | undefined, seconds: number): string {
  if (tally === undefined) return `${placeOf(job)}: nobody wants them any more.`;
  const failed = tally.failed > 0 ? `, ${rowsText(tally.failed)} without an answer` : "";
  return `${placeOf(job)}: ${rowsText(tally.rows)} in ${durationOf(1000 * seconds)}${failed}`;
}

function failedText(job: ChunkJob, error: unknown, restMs: number): string {
  const why = error instanceof Error ? error.message : String(error);
  return `${placeOf(job)}: failed. ${why} Resting for ${durationOf(restMs)}.`;
}

function placeOf({ folder, firstLine, lastLine }: ChunkJob): string {
  return `${folder.replace(/\.chunks$/u, "")}, ${numberText(firstLine)} to ${numberText(lastLine)}`;
}
