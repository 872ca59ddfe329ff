import { Command, InvalidArgumentError, Option } from "commander";
import { ON_ERROR, type Shard } from "../run/plan.ts";
import type { Platform } from "../../library/platform/platform.ts";
import { addLessonFlags, addModelFlags, addTableFlags, countFrom, errorRateFrom, FlagOrVariable, refuseFlags } from "./input/flags.ts";
import { addQuestionFlags } from "./input/request-flags.ts";
import type { CreateDecider, Io } from "./io.ts";
import { addOutputFlags } from "./output/screen.ts";
import type { RunFlags } from "./run/run.ts";
import type { WorkerFlags } from "../run/queue/work.ts";
import { badInput } from "../tool-error.ts";

const HELP = `
Rows are objects of JSON, or lines of CSV under the columns' names. What is not
the text is copied: --copy id,date copies only that, --copy "" nothing.
The file of --out is there once all rows are done. Until then <out>.part and
<out>.journal are: after whatever ended it, the same command goes on there.
In a template, \\n is a line break: --text-column "{subject}\\n\\n{body}"

Exit codes: 0 all rows are answered, 1 failed, 2 bad input, 3 done, but some rows
have no answer: by --on-error report they say why, by skip they are left out.

Examples:
  $ umpire run questions.json tickets.csv --text-column body --out answers.csv
  $ umpire run questions.json tickets.csv --text-column body --dry-run
  $ umpire run tickets.csv --ask "Is it urgent?" --id-column id --out answers.csv
  $ zcat crawl.gz | umpire run questions.json - --out answers.jsonl
  $ umpire run questions.json rows.jsonl --shard 2/7 --out part-2.jsonl
  $ umpire run --merge part-*.jsonl --out answers.parquet
  $ umpire run questions.json rows.csv --out answers.csv --queue redis://host:6379
`;

export function runCommand(io: Io, platform: Platform, createDecider: CreateDecider): Command {
  const command = new Command("run")
    .description("answer questions about every row of a file, however many")
    .argument("[file...]", 'a question file, if no flags ask, and rows: .jsonl, .json, .csv, .tsv, also with .gz; .parquet; "-"')
    .option("--out <file>", 'where the answers go: .jsonl, .csv or .parquet; "-" for standard output, as JSON lines')
    .option("--copy <columns>", "columns that are copied along, with commas between them (default: all but those of the text)", namesFrom);
  refuseFlags(command, [
    ["rows", "--limit"],
    ["resume", "the same command again: it goes on where it stopped"],
    ["force", "--restart"],
  ]);
  return addOutputFlags(addModelFlags(addLessonFlags(addTableFlags(addQuestionFlags(command), false))))
    .option("--workers <number>", "rows that are answered at the same time (default: one a processor, 4 at most)", countFrom)
    .addOption(new Option("--on-error <what>", "a row without an answer: stop, skip it, or report why").choices(ON_ERROR).default("report"))
    .option("--limit <number>", "only so many rows, the first ones", countFrom)
    .option("--sample <share>", "only such a share of the rows, always the same: 0.01 for 1 in 100", errorRateFrom)
    .option("--seed <number>", "another sample", countFrom, 7)
    .option("--dry-run", "answer 100 rows, write nothing, and say how long all of them take")
    .option("--quiet", "do not say how far it is: no bar in a terminal, no line every 30 seconds elsewhere")
    .option("--restart", "begin anew: throw away what an earlier run left unfinished")
    .option("--shard <i/n>", "answer only the i-th of n parts, as n runs or machines do", shardFrom)
    .addOption(new Option("--merge <file...>", "join the files of all shards").conflicts(["shard", "dryRun", "restart", "copy"]))
    .option("--block <number>", "rows that are made safe at a time, and that shards take in turn", countFrom, 500)
    .addOption(
      new Option("--queue <url>", "workers of a queue answer: redis://host").conflicts(["shard", "merge", "dryRun", "workers", "threads"]),
    )
    .addOption(new Option("--chunk <number>", "the same as --block, for a queue").argParser(countFrom).conflicts("block"))
    .option("--allow-volatile-queue", "take a Redis that loses the queue at a restart")
    .addHelpText("after", HELP)
    .action(async (files: readonly string[], flags: RunFlags) => {
      const { run } = await import("./run/run.ts");
      io.exitCode = await run(io, platform, createDecider, files, flags);
    });
}

function namesFrom(text: string): readonly string[] {
  return text === "" ? [] : text.split(",").map((name) => name.trim());
}

function shardFrom(text: string): Shard {
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/u.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index < 1 || index > of)
    throw new InvalidArgumentError("It must be two numbers such as 2/7: the second of seven parts.");
  return { index, of };
}

const WORKER_HELP = `
Start one on each machine. Model, lessons and questions are those of the run, and
so are the paths: all machines need the folders of the rows and of the answers
under the same names, the same version of umpire, and umpire-base if the run's
model is of that package.
Ctrl-C gives the chunk in hand back to the queue.

Examples:
  $ umpire worker --queue redis://host:6379
  $ UMPIRE_QUEUE=rediss://user:password@host:6379 umpire worker --workers 2
`;

export function workerCommand(io: Io, platform: Platform, createDecider: CreateDecider): Command {
  return new Command("worker")
    .description("answer rows for umpire run --queue")
    .addOption(new FlagOrVariable("--queue <url>", "UMPIRE_QUEUE", "the Redis of the queue"))
    .option("--workers <number>", "rows that are answered at the same time (default: one a processor, 4 at most)", countFrom)
    .option("--threads <number>", "threads for the model, 1 to 64", countFrom)
    .addHelpText("after", WORKER_HELP)
    .action(async ({ queue, ...flags }: Partial<WorkerFlags>) => {
      if (queue === undefined) throw badInput("required option '--queue <url>' not specified");
      const { workForQueue } = await import("../run/queue/work.ts");
      await workForQueue(io, platform, createDecider, { ...flags, queue });
    });
}
