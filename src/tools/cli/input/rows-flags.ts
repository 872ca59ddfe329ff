import type { Command } from "commander";
import { addTableFlags, collected, countFrom, refuseFlags } from "./flags.ts";
import type { TableFlags } from "./flags.ts";

export interface RowsFlags extends TableFlags {
  readonly instructions?: readonly string[];
  readonly criteria?: string;
  readonly question?: readonly string[];
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
  CSV has a first line with the columns' names: text,label
  A row that cannot be used is left out, and told on standard error.`;

export const A_FILE_OF_ROWS = ".jsonl, .json, .csv or .tsv, also with .gz: a text and its label a row, or a request with its right answers";

export function addRowsFlags(command: Command): Command {
  command
    .option("--instructions <question>", "the question to ask about every text (default: a general one); may be repeated", collected)
    .option("--criteria <file>", "JSON file with the options and their descriptions (default: the labels, without descriptions)")
    .option(
      "--question <file>",
      "JSON file with one question of any type, asked about every text; its answers stand in place of labels; may be repeated",
      collected,
    )
    .option("--text-column <name>", "the column with the text (default: text, state, body, message or content)")
    .option("--label-column <name>", "the column with the right label (default: label or answer)")
    .option("--rows <number>", "ask only so many rows, chosen at random", countFrom)
    .option("--seed <number>", "chooses other rows", countFrom, 7);
  refuseFlags(command, OTHER_NAMES);
  return addTableFlags(command);
}
