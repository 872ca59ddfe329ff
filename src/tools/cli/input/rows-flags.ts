import type { Command } from "commander";
import type { Io } from "../io.ts";
import { notice } from "../output/progress.ts";
import { addTableFlags, countFrom, OldName, type TableFlags } from "./flags.ts";
import { addQuestionFlags, type QuestionFlags } from "./request-flags.ts";

export interface RowsFlags extends TableFlags, QuestionFlags {
  readonly questionFiles?: readonly string[];
  readonly rows?: number;
  readonly seed: number;
}

export const ROWS_HELP = `
Rows:
  {"text": "I was charged twice.", "label": "billing"}
  {"state": "...", "questions": {"urgent": {"type": "noul",
    "instructions": "Is it urgent?", "answer": true}}}
  CSV has a first line with the columns' names: text,label
  A row that cannot be used is left out, and told on standard error.

The labels are the options, unless --options gives them. To another question the
labels are the answers; --instructions asks it in other words.`;

/** Flags of a command that asks about rows with right answers. Its last argument is the question's file, or several. */
export function addRowsFlags(command: Command): Command {
  command
    .argument("<file>", ".jsonl, .json, .csv or .tsv, also with .gz: a text and its label a row, or a request with its right answers")
    .argument("[question...]", "JSON files with the question, or with several by their ids");
  return addTableFlags(addQuestionFlags(command))
    .addOption(new OldName("--criteria <file>", "--options"))
    .option("--rows <number>", "ask only so many rows, chosen at random", countFrom)
    .option("--seed <number>", "chooses other rows", countFrom, 7);
}

/** The flags with the question files. In the version before, --question named them. */
export function withQuestionFiles<F extends RowsFlags>(io: Pick<Io, "stderr">, questionFiles: readonly string[], flags: F): F {
  const { question } = flags;
  if (question === undefined || questionFiles.length > 0) return { ...flags, questionFiles };
  notice(io, "a question file now stands after the rows, and --question is an id in it; --question <file> goes in the next version.");
  return { ...flags, questionFiles: question, question: undefined };
}
