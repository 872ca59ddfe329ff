import { Command } from "commander";
import { addModelFlags, addTableFlags } from "./input/flags.ts";
import { addQuestionFlags, questionsAndRows, type QuestionFlags } from "./input/request-flags.ts";
import { onlyQuestion } from "./input/read-input.ts";
import type { CreateDecider, Io } from "./io.ts";
import { addOutputFlags } from "./output/screen.ts";
import type { TeachFlags } from "../teach/teach.ts";

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
      --text-column body --label-column team --out lesson.json
  $ umpire decide request.json --lessons lesson.json --max-error-rate 0.05
`;

const CALIBRATE_HELP = `
From 30 examples on, of the kind that "umpire teach" takes, whose answers came as
they come every day: the probabilities of the model's own answers, x_accuracy and
x_act are fitted to them. A choice or a score is answered as before; of yes/no,
answers near 50% may turn.

Exit codes: 0 calibrated, 1 failed, 2 bad input, 3 calibrated without some rows.

Examples:
  $ umpire calibrate question.json tickets.csv --out calibration.json
  $ umpire decide request.json --lessons calibration.json --max-error-rate 0.1
`;

export function teachCommand(io: Io, createDecider: CreateDecider): Command {
  return examplesCommand(io, createDecider, "teach", "teach a question with your own examples", HELP);
}

export function calibrateCommand(io: Io, createDecider: CreateDecider): Command {
  return examplesCommand(io, createDecider, "calibrate", "make a question's probabilities true of your own examples", CALIBRATE_HELP);
}

function examplesCommand(io: Io, createDecider: CreateDecider, how: "teach" | "calibrate", description: string, help: string): Command {
  const command = new Command(how)
    .description(description)
    .argument("<file...>", 'a question file, if no flag asks, and examples: .jsonl, .json, .csv, .tsv, also with .gz; "-"')
    .requiredOption("--out <file>", "where the lesson is written: a new file, or one with a lesson");
  return addOutputFlags(addModelFlags(addTableFlags(addQuestionFlags(command))))
    .addHelpText("after", help)
    .action(async (files: readonly string[], flags: TeachFlags & QuestionFlags) => {
      const { teach } = await import("../teach/teach.ts");
      const [questions, rows] = await questionsAndRows(io, files, flags);
      await teach(io, createDecider, how, onlyQuestion(questions), rows, flags);
    });
}
