import { Command } from "commander";
import type { Platform } from "../../../library/platform/platform.ts";
import { BadInput } from "../bad-input.ts";
import { canAsk, confirm } from "../input/confirm.ts";
import type { Io } from "../io.ts";
import { bytesText } from "../output/bytes.ts";
import { inWords } from "./in-words.ts";

/** `umpire models remove`: removes a model that was added. */
export function removeCommand(io: Io, platform: Platform): Command {
  return new Command("remove")
    .description("remove a model that was added")
    .argument("<id>", "the model's id")
    .option("-y, --yes", "do not ask")
    .action(async (id: string, { yes }: { readonly yes?: true }) => {
      // Imported here, because other commands start faster without it.
      const [{ installedModel, packBytes }, { removeModel }] = await Promise.all([
        import("../../models/installed.ts"),
        import("../../models/remove-model.ts"),
      ]);
      const model = await inWords(installedModel(platform, id));
      if (yes !== true && !model.isBuiltIn) {
        if (!canAsk(io)) throw new BadInput(`This removes the model ${id} from the disk. Say that you want it: --yes.`);
        const size = model.manifest === undefined ? "" : ` (${bytesText(packBytes(model.manifest))})`;
        if (!(await confirm(io, `Remove the model ${id}${size} from the disk`))) {
          io.stderr.write("Nothing was removed.\n");
          return;
        }
      }
      await inWords(removeModel(model));
      io.stderr.write(`The model ${id} is removed.\n`);
    });
}
