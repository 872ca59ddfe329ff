import { Command, Option } from "commander";
import type { Platform } from "../../../library/platform/platform.ts";
import { refuseFlags } from "../input/refuse-flags.ts";
import type { Io } from "../io.ts";
import { addOutputFlags } from "../output/screen.ts";
import type { AddFlags } from "./add.ts";
import { inWords } from "./in-words.ts";

/** Flags that people try, and what they mean. */
const OTHER_NAMES = [
  ["license", "--licence"],
  ["id", "--as"],
  ["name", "--as"],
  ["output", "--out"],
  ["revision", "org/name@revision"],
] as const;

const HELP = `
The model must be a cross-encoder for natural language inference or a GLiClass
uni-encoder, in the layout of model hubs: config.json, tokenizer.json,
onnx/*.onnx. Of several graphs, int8 is taken where this processor computes it
exactly, else the plain one. The pack is sealed, and tested by running it. Variables of the hub's own tools are heeded:
HF_ENDPOINT, HF_TOKEN, HF_HOME, HF_HUB_CACHE, HF_HUB_OFFLINE.

Exit codes: 0 added, 1 failed, 2 bad input.

Examples:
  $ umpire models add ./nli-deberta-v3-base --as nli-base
  $ umpire models add org/name@main --file onnx/model_quantized.onnx --yes
  $ umpire models add ./my-model --template "The topic of this text is {option}."
  $ umpire models add ./my-model --out public/models/my-model
`;

/** `umpire models add`: makes a sealed pack of a model. @param dist URL of the folder of the built package */
export function addCommand(io: Io, platform: Platform, dist: URL): Command {
  const command = new Command("add")
    .description("add a model from a folder, or from a model hub")
    .argument("<model>", "a folder, or org/name of a model hub, also org/name@revision")
    .option("--as <id>", "the id that it gets (default: made of its name)")
    .option("--file <path>", "the graph to take; give it again for one of another precision", collect)
    .option("--template <text>", 'how an option of a choice is put: "This is about {option}."')
    .option("--labels <names>", 'what the model\'s outputs mean, in order: "contradiction,neutral,entailment"')
    .option("--licence <licence>", "its licence (default: what its card says)")
    .addOption(new Option("--out <folder>", "write the pack to a new folder, for a page, instead of your models"))
    .option("-y, --yes", "do not ask before a large download");
  refuseFlags(command, OTHER_NAMES);
  return addOutputFlags(command)
    .addHelpText("after", HELP)
    .action(async (model: string, flags: AddFlags) => {
      // Imported here, because other commands start faster without it.
      const { add } = await import("./add.ts");
      await inWords(add(io, platform, dist, model, flags));
    });
}

function collect(path: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), path];
}
