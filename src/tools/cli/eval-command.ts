import { Command } from "commander";
import { addLessonFlags, addModelFlags, shareFrom } from "./input/flags.ts";
import { A_FILE_OF_ROWS, addRowsFlags, ROWS_HELP } from "./input/rows-flags.ts";
import type { EvalFlags } from "../eval/evaluate.ts";
import type { CreateDecider, Io } from "./io.ts";
import { addOutputFlags } from "./output/screen.ts";
import { LEAST_ACCURACY } from "./output/sureness.ts";

const HELP = `${ROWS_HELP}

Exit codes: 0 measured, 1 failed, 2 bad input, 3 measured without some rows.

Examples:
  $ umpire eval mails.csv --instructions "Which team should get it?"
  $ umpire eval mails.jsonl --criteria teams.json --rows 200 --json
  $ umpire eval mails.csv --question question.json --lessons lesson.json
`;

/** `umpire eval`: measures how often the answers to a file's questions are right. */
export function evalCommand(io: Io, createDecider: CreateDecider): Command {
  const command = new Command("eval")
    .description("measure how often answers are right, on texts with known answers")
    .argument("<file>", A_FILE_OF_ROWS);
  addRowsFlags(command)
    .option("--threshold <accuracy>", "a person decides where answers are right less often than that, 0 to 1", shareFrom, LEAST_ACCURACY)
    .option("--out <file>", "also write each answer as a line of JSON, without the texts");
  return addOutputFlags(addModelFlags(addLessonFlags(command)))
    .addHelpText("after", HELP)
    .action(async (file: string, flags: EvalFlags) => {
      const { evaluate } = await import("../eval/evaluate.ts");
      await evaluate(io, createDecider, file, flags);
    });
}
