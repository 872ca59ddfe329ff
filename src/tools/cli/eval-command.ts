import { Command, Option } from "commander";
import { addLessonFlags, addModelFlags, shareFrom } from "./input/flags.ts";
import { addRowsFlags, ROWS_HELP, withQuestionFiles } from "./input/request-flags.ts";
import type { EvalFlags } from "../eval/evaluate.ts";
import { MEASURES, requirementFrom } from "../eval/compare.ts";
import type { CreateDecider, Io } from "./io.ts";
import { addOutputFlags } from "./output/screen.ts";
import { LEAST_ACCURACY } from "./output/sureness.ts";

const HELP = `${ROWS_HELP}

Several wordings are compared: --instructions or questions more than once, or
both: the question as it is, then with each of the instructions. To CI:
--require accuracy, macro-f1, calibration-error, log-loss, act@RATE or
act-errors@RATE, of the best wording.

Exit codes: 0 measured, 1 failed, 2 bad input, 3 measured without some rows, 4 a
requirement is not met.

Examples:
  $ umpire eval mails.csv --instructions "Which team should get it?"
  $ umpire eval mails.jsonl --options teams.json --rows 200 --json
  $ umpire eval mails.csv question.json --lessons lesson.json
  $ umpire eval comments.csv spam.json --instructions "Is it an advert or a scam?" \\
      --write best.json
  $ umpire eval mails.csv question.json --require 'accuracy>=.85' \\
      --require 'act@.05>=.4'
`;

export function evalCommand(io: Io, createDecider: CreateDecider): Command {
  const command = new Command("eval").description("measure how often answers are right, on texts with known answers");
  addRowsFlags(command)
    .option("--threshold <accuracy>", "a person decides where answers are right less often than that, 0 to 1", shareFrom, LEAST_ACCURACY)
    .addOption(new Option("--by <measure>", "which wording is the best").choices(MEASURES).default("accuracy"))
    .option("--write <file>", "write the question of the best wording, as JSON")
    .option("--require <threshold>", 'end with exit code 4 if it is not met: "accuracy>=.85"; may be repeated', requirementFrom)
    .option("--out <file>", "also write each answer as a line of JSON, without the texts");
  return addOutputFlags(addModelFlags(addLessonFlags(command)))
    .addHelpText("after", HELP)
    .action(async (file: string, questions: readonly string[], flags: EvalFlags) => {
      const { evaluate } = await import("../eval/evaluate.ts");
      await evaluate(io, createDecider, file, withQuestionFiles(io, questions, flags));
    });
}
