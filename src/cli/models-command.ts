import { Command, Option } from "commander";
import { latestOf } from "../platform-decider.ts";
import type { Platform } from "../platform/platform.ts";
import type { Screen } from "./answer-view.ts";
import { screenFor, writeJson } from "./output.ts";
import type { OutputFlags } from "./output.ts";
import { escapeControls, oneLine, wrap } from "./terminal-text.ts";

/** A model as the HTTP interface lists it. Fields of our own start with `x_`. */
interface ListedModel {
  readonly name: string;
  readonly description: string;
  /** Year, month and day: 2026-11-21. */
  readonly release_date: string;
  /** It answers requests that name no model. */
  readonly x_latest: boolean;
}

/** `umpire models`: the packs that came with the package, newest first. */
export function modelsCommand(platform: Platform): Command {
  return new Command("models")
    .description("list the models that are installed")
    .addOption(new Option("--json", "print JSON, also in a terminal").conflicts("pretty"))
    .option("--pretty", "print for a person, also where the output is no terminal")
    .option("--no-color", "print without colours")
    .action(async (flags: OutputFlags) => {
      const models = await listModels(platform);
      const screen = screenFor(flags);
      if (screen === undefined) writeJson({ models });
      else process.stdout.write(models.map((model) => showModel(model, screen)).join("\n"));
    });
}

async function listModels(platform: Platform): Promise<ListedModel[]> {
  const catalogue = await platform.catalogue();
  const latest = latestOf(catalogue);
  return catalogue
    .map(({ id, description, releaseDate }) => ({ name: id, description, release_date: releaseDate, x_latest: id === latest?.id }))
    .sort((a, b) => (a.release_date < b.release_date ? 1 : -1));
}

function showModel({ name, description, release_date, x_latest }: ListedModel, { width, paint }: Screen): string {
  const facts = paint("dim", `  ${escapeControls(release_date)}`) + (x_latest ? paint("green", "  latest") : "");
  const lines = wrap(oneLine(description), width - 2).map((line) => `  ${line}`);
  return `${[`${paint("bold", escapeControls(name))}${facts}`, ...lines].join("\n")}\n`;
}
