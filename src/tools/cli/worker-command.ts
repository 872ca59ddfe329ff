import { Command } from "commander";
import type { Platform } from "../../library/platform/platform.ts";
import type { WorkerFlags } from "./run/work.ts";
import { badInput } from "../tool-error.ts";
import { countFrom, FlagOrVariable } from "./input/flags.ts";
import type { CreateDecider, Io } from "./io.ts";

const HELP = `
Start one on each machine. Model, lessons and questions are those of the run, and
so are the paths: all machines need the folders of the rows and of the answers
under the same names, the same version of umpire, and umpire-base if the run's
model is of that package.
Ctrl-C gives the chunk in hand back to the queue.

Examples:
  $ umpire worker --queue redis://host:6379
  $ UMPIRE_QUEUE=rediss://user:password@host:6379 umpire worker --workers 2
`;

/** `umpire worker`: answers rows for `umpire run --queue`, on as many machines as there are. */
export function workerCommand(io: Io, platform: Platform, createDecider: CreateDecider): Command {
  return new Command("worker")
    .description("answer rows for umpire run --queue")
    .addOption(new FlagOrVariable("--queue <url>", "UMPIRE_QUEUE", "the Redis of the queue"))
    .option("--workers <number>", "rows that are answered at the same time (default: one a processor, 4 at most)", countFrom)
    .option("--threads <number>", "threads for the model, 1 to 64", countFrom)
    .addHelpText("after", HELP)
    .action(async ({ queue, ...flags }: Partial<WorkerFlags>) => {
      if (queue === undefined) throw badInput("required option '--queue <url>' not specified");
      // Imported here, because other commands start faster without what reads tables.
      const { workForQueue } = await import("./run/work.ts");
      await workForQueue(io, platform, createDecider, { ...flags, queue });
    });
}
