import { Command } from "commander";
import type { Platform } from "../../../library/platform/platform.ts";
import { addDeviceFlags } from "../input/flags.ts";
import { A_FILE_OF_ROWS, ROWS_HELP, addRowsFlags } from "../input/rows-flags.ts";
import type { Io } from "../io.ts";
import { addOutputFlags } from "../output/screen.ts";
import type { CalibrateFlags } from "../../models/calibrate/calibrate-pack.ts";

const HELP = `${ROWS_HELP}

A type of question is fitted from 100 questions on; others stay as they were.
Take rows that the model was not trained on. Calibrate before you teach: a
lesson holds for the model as it was when the lesson was made.

Exit codes: 0 calibrated, 1 failed, 2 bad input.

Examples:
  $ umpire models calibrate nli-deberta-v3-small tickets.jsonl
  $ umpire models calibrate ./models/mine mails.csv --question question.json
`;

/** `umpire models calibrate`: fits an added model's probabilities to rows with known answers. */
export function calibrateCommand(io: Io, platform: Platform): Command {
  const command = new Command("calibrate")
    .description("fit an added model's probabilities to your own rows with known answers")
    .argument("<model>", "id or folder of the model")
    .argument("<file>", A_FILE_OF_ROWS);
  return addOutputFlags(addDeviceFlags(addRowsFlags(command)))
    .addHelpText("after", HELP)
    .action(async (model: string, file: string, flags: CalibrateFlags) => {
      // Imported here, because other commands start faster without what reads and counts.
      const { calibratePack } = await import("../../models/calibrate/calibrate-pack.ts");
      await calibratePack(io, platform, model, file, flags);
    });
}
