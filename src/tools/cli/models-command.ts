import { Command } from "commander";
import type { Platform } from "../../library/platform/platform.ts";
import type { Io } from "./io.ts";
import { addCommand } from "./models/add-command.ts";
import { calibrateCommand } from "./models/calibrate-command.ts";
import { listCommand } from "./models/list-command.ts";
import { removeCommand } from "./models/remove-command.ts";
import { showCommand } from "./models/show-command.ts";
import { verifyCommand } from "./models/verify-command.ts";

const HELP = `
The model umpire-3-base is larger and more accurate than umpire-2. It comes in an
npm package of its own; where that is installed, it is the default:
  $ npm install umpire-base

Models that you add lie in UMPIRE_HOME, or else in your folder for data of
programs. Nothing is ever fetched by "umpire decide", only by "umpire models add".

Examples:
  $ umpire models
  $ umpire models add ./nli-deberta-v3-base --as nli-base
  $ umpire models add org/name
  $ umpire decide --model nli-base --state "It rains." --ask "Is it dry?"
`;

/** `umpire models`: lists, adds, shows, verifies, calibrates and removes models. @param dist URL of the folder of the built package */
export function modelsCommand(io: Io, platform: Platform, dist: URL): Command {
  return new Command("models")
    .description("list, add, verify, calibrate and remove models")
    .addCommand(listCommand(io, platform), { isDefault: true })
    .addCommand(addCommand(io, platform, dist))
    .addCommand(showCommand(io, platform))
    .addCommand(verifyCommand(io, platform, dist))
    .addCommand(calibrateCommand(io, platform))
    .addCommand(removeCommand(io, platform))
    .addHelpText("after", HELP);
}
