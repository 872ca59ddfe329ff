import { Command } from "commander";
import { createDeciderOn } from "../decider/create-decider.ts";
import { listedModels } from "../http/listed-models.ts";
import type { ListedModel } from "../http/listed-models.ts";
import type { Platform } from "../platform/platform.ts";
import { calibrateCommand } from "./models/calibrate-command.ts";
import type { Screen } from "./output/screen.ts";
import { addOutputFlags, screenFor, writeJson } from "./output/screen.ts";
import type { OutputFlags } from "./output/screen.ts";
import { escapeControls, oneLine, wrap } from "./output/terminal-text.ts";

/** `umpire models`: the models there are, and what can be done to them. Alone it lists them. */
export function modelsCommand(platform: Platform): Command {
  return new Command("models")
    .description("list the installed models, or calibrate an added one")
    .addCommand(listCommand(platform), { isDefault: true })
    .addCommand(calibrateCommand(platform));
}

/** `umpire models list`: lists the models in the package, newest first. */
function listCommand(platform: Platform): Command {
  return addOutputFlags(new Command("list").description("list the installed models")).action(async (flags: OutputFlags) => {
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
