import { Command } from "commander";
import { addModelFlags, addTableFlags, countFrom, errorRateFrom, portFrom } from "./input/flags.ts";
import { addQuestionFlags } from "./input/request-flags.ts";
import type { CreateDecider, Io } from "./io.ts";
import { addOutputFlags } from "./output/screen.ts";
import type { LabelFlags } from "../label/label.ts";

const HELP = `
A page, or with --terminal the terminal, shows a row at a time and takes one key
for its answer. It teaches after every 8 answers, and says how much of the rest
could be acted on at --max-error-rate, at 90% confidence. It stops when more
answers hardly help. Some rows are drawn by what their answer would teach, others
by chance; only the latter count for the promise.

Each answer is in the file before the next row is asked about: after whatever
ended it, the same command goes on there. The page is for this machine alone.
Where standard input is no terminal, --terminal takes a line an answer: its key or
the option's name.

Exit codes: 0 the lesson is written, 1 failed, 2 bad input, 3 written, but some
rows could not be used, 5 nothing was learned yet.

Examples:
  $ umpire label tickets.csv question.json
  $ umpire label tickets.csv --choose "Which team? billing, technical, other" \\
      --text-column body --max-error-rate 0.1
  $ umpire label tickets.csv question.json --terminal
  $ umpire run question.json tickets.csv --lessons lesson.json \\
      --max-error-rate 0.05 --out answers.csv
`;

export function labelCommand(io: Io, createDecider: CreateDecider, dist: URL): Command {
  const command = new Command("label")
    .description("answer a question about some rows by hand, and have it learned")
    .argument("<rows>", '.jsonl, .json, .csv, .tsv, also with .gz; .parquet; "-"')
    .argument("[question]", "a question file, if no flag asks");
  return addOutputFlags(addModelFlags(addTableFlags(addQuestionFlags(command), false), "that learns"))
    .option("--out <file>", "your answers, which umpire teach reads, too: .csv", "labels.csv")
    .option("--lesson <file>", "what is learned", "lesson.json")
    .option("--max-error-rate <share>", "how many answers that are acted on may be wrong: 0.05 for 5 in 100", errorRateFrom, 0.05)
    .option("--rows <number>", "draw from so many rows at most, chosen by chance", countFrom, 2000)
    .option("--seed <number>", "other rows, in another order", countFrom, 7)
    .option("-p, --port <number>", "port of the page; 0 takes any free port (default: 4174, or the next one that is free)", portFrom)
    .option("--terminal", "ask in the terminal, without a page")
    .addHelpText("after", HELP)
    .action(async (file: string, questionFile: string | undefined, flags: LabelFlags) => {
      const { label } = await import("../label/label.ts");
      await label(io, createDecider, dist, file, questionFile, flags);
    });
}
