import { Command, Option } from "commander";
import { createDeciderOn } from "../decider/create-decider.ts";
import { listedModels } from "../http/listed-models.ts";
import type { ListedModel } from "../http/listed-models.ts";
import type { Platform } from "../platform/platform.ts";
import type { Screen } from "./answer-view.ts";
import { screenFor, writeJson } from "./output.ts";
import type { OutputFlags } from "./output.ts";
import { escapeControls, oneLine, wrap } from "./terminal-text.ts";

/** `umpire models`: the packs that came with the package, newest first. */
export function modelsCommand(platform: Platform): Command {
  return new Command("models")
    .description("list the models that are installed")
    .addOption(new Option("--json", "print JSON, also in a terminal").conflicts("pretty"))
    .option("--pretty", "print for a person, also where the output is no terminal")
    .option("--no-color", "print without colours")
    .action(async (flags: OutputFlags) => {
      const models = listedModels(await createDeciderOn(platform).models());
      const screen = screenFor(flags);
      if (screen === undefined) writeJson({ models });
      else process.stdout.write(models.map((model) => showModel(model, screen)).join("\n"));
    });
}

function showModel({ name, description, release_date, x_latest }: ListedModel, { width, paint }: Screen): string {
  const facts = paint("dim", `  ${escapeControls(release_date)}`) + (x_latest ? paint("green", "  latest") : "");
  const lines = wrap(oneLine(description), width - 2).map((line) => `  ${line}`);
  return `${[`${paint("bold", escapeControls(name))}${facts}`, ...lines].join("\n")}\n`;
}
