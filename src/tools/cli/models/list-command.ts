import { Command } from "commander";
import { createDeciderOn } from "../../../library/decider/create-decider.ts";
import type { ModelSummary } from "../../../library/decider/decider.ts";
import { listedModels } from "../../../service/handler/handler.ts";
import type { ListedModel } from "../../../service/handler/handler.ts";
import type { Platform } from "../../../library/platform/platform.ts";
import type { Io } from "../io.ts";
import { bytesText } from "../output/bytes.ts";
import { addOutputFlags, screenFor, writeJson } from "../output/screen.ts";
import type { OutputFlags, Screen } from "../output/screen.ts";
import { escapeControls, oneLine, wrap } from "../output/terminal-text.ts";

/** A model as the service lists it, and what only this machine knows of it. */
interface Listed extends ListedModel {
  readonly x_built_in: boolean;
  /** The npm package that it came in; absent if that is umpire's own, or it was added. */
  readonly x_package?: string;
  /** Absent if the model is damaged, as the next two are. */
  readonly x_size_bytes?: number;
  readonly x_uncalibrated?: boolean;
  readonly x_source?: { readonly name: string; readonly revision?: string };
  /** What is wrong with it; absent if it can be read. */
  readonly x_damage?: string;
}

/** `umpire models list`, and `umpire models` alone: the models on this machine, newest first. */
export function listCommand(io: Io, platform: Platform): Command {
  const list = addOutputFlags(new Command("list").description("list the models on this machine"));
  // It is what "umpire models" does alone, so a mistyped subcommand comes here, too.
  return list.allowExcessArguments().action(async (flags: OutputFlags, { args, parent }: Command) => {
    const [typed] = args;
    if (typed !== undefined && parent?.args[0] !== "list") parent?.error(`error: unknown command '${typed}'. "umpire models --help" lists them.`);
    if (typed !== undefined) list.error("error: \"umpire models list\" takes no arguments.");
    await using decider = createDeciderOn(platform);
    const models = await read(platform, await decider.models());
    const screen = screenFor(io, flags);
    if (screen === undefined) writeJson(io, { models });
    else io.stdout.write([...models.map((model) => shown(model, screen)), ...more(platform, models, screen)].join("\n"));
  });
}

async function read(platform: Platform, models: readonly ModelSummary[]): Promise<Listed[]> {
  // Imported here, because other commands start faster without it.
  const { installedModels, packBytes } = await import("../../models/installed.ts");
  const installed = new Map((await installedModels(platform)).map((model) => [model.id, model]));
  return listedModels(models).map((listed): Listed => {
    const { isBuiltIn = true, packageName, manifest, damage } = installed.get(listed.name) ?? {};
    return {
      ...listed,
      x_built_in: isBuiltIn,
      ...(packageName !== undefined && { x_package: packageName }),
      ...(manifest && { x_size_bytes: packBytes(manifest), x_uncalibrated: manifest.calibration.uncalibrated ?? false }),
      ...(manifest?.source && { x_source: manifest.source }),
      ...(damage !== undefined && { x_damage: damage }),
    };
  });
}

function shown(model: Listed, { width, paint }: Screen): string {
  const { name, description, release_date: date, x_latest: isLatest, x_size_bytes: sizeBytes, x_damage: damage } = model;
  const facts = [
    ...(date === "" ? [] : [paint("dim", escapeControls(date))]),
    ...(isLatest ? [paint("green", "latest")] : []),
    ...(model.x_built_in ? [] : ["added"]),
    ...(model.x_package === undefined ? [] : [model.x_package]),
    ...(model.x_uncalibrated ? [paint("yellow", "uncalibrated")] : []),
    ...(damage === undefined ? [] : [paint("red", "damaged")]),
    ...(sizeBytes === undefined ? [] : [paint("dim", bytesText(sizeBytes))]),
  ];
  const lines = wrap(oneLine(damage ?? description), width - 2).map((line) => `  ${line}`);
  return `${[[paint("bold", escapeControls(name)), ...facts].join("  "), ...lines].join("\n")}\n`;
}

/** Lines on models of umpire's makers that are not installed. */
function more({ packaged = [] }: Platform, models: readonly Listed[], { width }: Screen): string[] {
  const absent = packaged.filter(({ packageName }) => !models.some((model) => model.x_package === packageName));
  return absent.map(({ id, packageName, sizeBytes }) => {
    const size = sizeBytes === undefined ? "" : ` (${bytesText(sizeBytes)})`;
    return `${wrap(`${id}, larger and more accurate, is a package away: npm install ${packageName}${size}`, width).join("\n")}\n`;
  });
}
