import { Command } from "commander";
import { addLessonFlags, addModelFlags, countFrom, refuseFlags, shareFrom } from "./input/flags.ts";
import type { EvalFlags } from "../eval/evaluate.ts";
import type { CreateDecider, Io } from "./io.ts";
import { addOutputFlags } from "./output/screen.ts";
import { LEAST_ACCURACY } from "./output/sureness.ts";

export interface RowsFlags {
  readonly instructions?: string;
  readonly criteria?: string;
  readonly question?: string;
  readonly textColumn?: string;
  readonly labelColumn?: string;
  readonly rows?: number;
  readonly seed: number;
}

const OTHER_NAMES = [
  ["state", "--text-column"],
  ["answer", "--label-column"],
  ["text", "--text-column"],
  ["label", "--label-column"],
] as const;

export const ROWS_HELP = `
Rows:
  {"text": "I was charged twice.", "label": "billing"}
  {"state": "...", "questions": {"urgent": {"type": "noul",
    "instructions": "Is it urgent?", "answer": true}}}
  CSV has a first line with the columns' names: text,label`;

export const A_FILE_OF_ROWS = ".jsonl, .csv or .tsv, also with .gz: a text and its label a row, or a request with its right answers";

export function addRowsFlags(command: Command): Command {
  command
    .option("--instructions <question>", "the question to ask about every text (default: a general one)")
    .option("--criteria <file>", "JSON file with the options and their descriptions (default: the labels, without descriptions)")
    .option("--question <file>", "JSON file with one question of any type, asked about every text; its answers stand in place of labels")
    .option("--text-column <name>", "the column with the text (default: text)")
    .option("--label-column <name>", "the column with the right label (default: label)")
    .option("--rows <number>", "ask only so many rows, chosen at random", countFrom)
    .option("--seed <number>", "chooses other rows", countFrom, 7);
  refuseFlags(command, OTHER_NAMES);
  return command;
}

const HELP = `${ROWS_HELP}

Exit codes: 0 measured, 1 failed, 2 bad input.

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
