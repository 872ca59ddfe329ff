import { Command, Option } from "commander";
import type { Question } from "../../library/decide/types.ts";
import { badInput } from "../tool-error.ts";
import { addModelFlags, addTableFlags, refuseFlags } from "./input/flags.ts";
import { choiceFrom, noulFrom, scoreFrom } from "./input/request-flags.ts";
import { readQuestion } from "./input/read-input.ts";
import type { CreateDecider, Io } from "./io.ts";
import { addOutputFlags } from "./output/screen.ts";
import type { TeachFlags } from "../teach/teach.ts";

interface Flags extends TeachFlags {
  readonly question?: string;
  readonly choose?: Question;
  readonly ask?: Question;
  readonly rate?: Question;
}

const OTHER_NAMES = [
  ["text-column", "--state"],
  ["label-column", "--answer"],
  ["text", "--state"],
  ["label", "--answer"],
] as const;

const HELP = `
Examples to learn from, 8 to 100,000; a few dozen of each answer teach most:
  {"state": "I was charged twice.", "answer": "billing"}
  CSV has a first line with the columns' names: state,answer or text,label
An answer is an option, true or false, or a level (its text, or its number from
0); without one, an example has none. The lesson holds none of the texts. Its
figures are of examples that it did not learn from.

Where nothing was learned, a calibration is kept (30 examples or more), and a
note says what more examples would probably bring.

Exit codes: 0 taught, 1 failed, 2 bad input, 3 taught, but some rows could not be
used and were left out, 5 nothing was learned.

Examples:
  $ umpire teach question.json tickets.csv --out lesson.json
  $ umpire teach tickets.csv --choose "Which team? billing, technical, other" \\
      --state body --answer team --out lesson.json
  $ umpire decide request.json --lessons lesson.json --max-error-rate 0.05
`;

const CALIBRATE_HELP = `
From 30 examples on, of the kind that "umpire teach" takes, whose answers came as
they come every day: the probabilities of the model's own answers, x_accuracy and
x_act are fitted to them. A choice or a score is answered as before; of yes/no,
answers near 50% may turn.

Exit codes: 0 calibrated, 1 failed, 2 bad input.

Examples:
  $ umpire calibrate question.json tickets.csv --out calibration.json
  $ umpire decide request.json --lessons calibration.json --max-error-rate 0.1
`;

/** `umpire teach`: learns a question from examples with known answers, and says what that is worth. */
export function teachCommand(io: Io, createDecider: CreateDecider): Command {
  return examplesCommand(io, createDecider, "teach", "teach a question with your own examples", HELP);
}

/** `umpire calibrate`: how sure the model's own answers to a question are, by examples with known answers. */
export function calibrateCommand(io: Io, createDecider: CreateDecider): Command {
  return examplesCommand(io, createDecider, "calibrate", "make a question's probabilities true of your own examples", CALIBRATE_HELP);
}

function examplesCommand(io: Io, createDecider: CreateDecider, how: "teach" | "calibrate", description: string, help: string): Command {
  const command = new Command(how)
    .description(description)
    .argument(
      "<file...>",
      'the question as JSON (one, several by their ids, or a request), then examples in .jsonl, .json, .csv or .tsv, also with .gz; "-" for standard input',
    )
    .requiredOption("--out <file>", "where the lesson is written: a new file, or one with a lesson")
    .option("--question <id>", "which question of several is meant")
    .addOption(questionOption("--choose <options>", "the question: pick one of 2 to 255 options", choiceFrom).conflicts(["ask", "rate"]))
    .addOption(questionOption("--ask <question>", "the question: yes or no", noulFrom).conflicts(["rate"]))
    .addOption(questionOption("--rate <levels>", "the question: a scale of 2 to 10 levels", scoreFrom))
    .option("--state <column>", "the column or field with the text (default: text, state, body, message or content)")
    .option("--answer <column>", "the column or field with the right answer (default: label or answer)");
  refuseFlags(command, OTHER_NAMES);
  return addOutputFlags(addModelFlags(addTableFlags(command)))
    .addHelpText("after", help)
    .action(async (files: readonly string[], flags: Flags) => {
      const { teach } = await import("../teach/teach.ts");
      const [question, examples] = await questionAndExamples(files, flags);
      await teach(io, createDecider, how, question, examples, flags);
    });
}

function questionOption(flags: string, description: string, read: (text: string) => Question): Option {
  return new Option(flags, description).argParser(read);
}

async function questionAndExamples(
  files: readonly string[],
  { choose, ask, rate, question: id }: Flags,
): Promise<[question: Question, examples: string]> {
  const asked = choose ?? ask ?? rate;
  const [first = "", second, ...others] = files;
  if (others.length > 0) throw badInput("There are more than two files. Give one with the question and one with the examples.");
  if (asked === undefined) {
    if (second === undefined)
      throw badInput("Give a file with the question and one with the examples; or one with examples, and --choose, --ask or --rate.");
    return [await readQuestion(first, id), second];
  }
  if (second !== undefined || id !== undefined)
    throw badInput("There are two questions: one in a file and one of --choose, --ask or --rate. Give one of them.");
  return [asked, first];
}
