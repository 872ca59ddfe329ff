import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { PreparedInput } from "../../run/input/prepare.ts";
import type { Output } from "../../run/output/output.ts";
import { coordinate } from "../../run/queue/coordinate.ts";
import { checkKeeps, connectRedis } from "../../run/queue/redis.ts";
import type { RunFile } from "../../run/queue/run-file.ts";
import { FolderStore } from "../../run/queue/store.ts";
import type { Tally } from "../../run/tally.ts";
import { BadInput } from "../bad-input.ts";
import { endBy, onEndSignal } from "../end-signals.ts";
import type { Io } from "../io.ts";
import type { RunBar } from "./bar.ts";
import { notice } from "./notice.ts";
import { outOf, STANDARD_OUTPUT } from "./run-flags.ts";
import type { RunFlags } from "./run-flags.ts";

const STOPPED =
  "Stopped. The chunks stay on the queue, and workers go on with them. The same command joins them and goes on; with --restart it begins anew.";

/** @throws {BadInput} for rows that workers could not read, or answers that could not be joined */
export async function checkForQueue(out: string, rowFile: string): Promise<void> {
  if (out === STANDARD_OUTPUT)
    throw new BadInput("--queue needs a file for the answers, in a folder that all workers share: give one with --out.");
  const found = await stat(rowFile).catch(() => undefined);
  if (rowFile === "-" || found?.isFile() === false)
    throw new BadInput("--queue needs rows in a file, in a folder that all workers share: they cannot read this machine's pipe.");
}

/** Connects to the queue, and has the rows answered by its workers. @param answerAll what opens the output and says what was done */
export async function withQueue(
  io: Io,
  flags: RunFlags & { readonly queue: string },
  run: RunFile,
  input: PreparedInput,
  answerAll: (answer: (output: Output, bar: RunBar | undefined) => Promise<Tally>) => Promise<number>,
): Promise<number> {
  let bar: RunBar | undefined;
  const onNotice = (message: string): void => {
    bar?.clear();
    notice(io, message);
  };
  const folder = `${resolve(outOf(flags))}.chunks`;
  const redis = await connectRedis(flags.queue, onNotice);
  try {
    await checkKeeps(redis, flags.allowVolatileQueue === true, onNotice);
    return await answerAll(async (output, drawn) => {
      bar = drawn;
      const ignoreSignals = onEndSignal((signal) => {
        onNotice(STOPPED);
        // As any other command.
        endBy(signal);
      });
      try {
        if (flags.restart === true) await new FolderStore(folder).clear();
        const store = await FolderStore.make(folder);
        return await coordinate({ redis, folder, store }, run, input, output, { onNotice, onProgress: (sum) => drawn?.update(sum) });
      } finally {
        ignoreSignals();
      }
    });
  } finally {
    redis.disconnect();
  }
}
