import { Command } from "commander";
import type { InstalledModel } from "../../models/installed.ts";
import type { Platform } from "../../../library/platform/platform.ts";
import { CommandFailed } from "../command-failed.ts";
import type { Io } from "../io.ts";
import { bytesText } from "../output/bytes.ts";
import { addOutputFlags, screenFor, writeJson } from "../output/screen.ts";
import type { OutputFlags, Screen } from "../output/screen.ts";
import { fit, oneLine, wrap } from "../output/terminal-text.ts";
import { inWords } from "./in-words.ts";

/** `umpire models show`: what a model's manifest says. */
export function showCommand(io: Io, platform: Platform): Command {
  const command = new Command("show").description("show what a model is made of").argument("<id>", "the model's id");
  return addOutputFlags(command).action(async (id: string, flags: OutputFlags) => {
    // Imported here, because other commands start faster without it.
    const { installedModel, packBytes } = await import("../../models/installed.ts");
    const model = await inWords(installedModel(platform, id));
    const { manifest, folder, isBuiltIn, packageName, damage } = model;
    if (manifest === undefined) throw new CommandFailed(damage ?? "The model's manifest cannot be read.");
    const screen = screenFor(io, flags);
    const sizeBytes = packBytes(manifest);
    if (screen === undefined) writeJson(io, { folder, builtIn: isBuiltIn, package: packageName, sizeBytes, manifest });
    else io.stdout.write(shown(model, sizeBytes, manifest, screen));
  });
}

const NAME_CELLS = 12;

function shown(
  { id, folder, isBuiltIn, packageName }: InstalledModel,
  sizeBytes: number,
  manifest: NonNullable<InstalledModel["manifest"]>,
  { width, paint }: Screen,
): string {
  const { source, limits, calibration, files } = manifest;
  const rows: (readonly [name: string, text: string])[] = [
    ["", manifest.description],
    ["family", manifest.family],
    ["source", source === undefined ? (isBuiltIn ? `the package ${packageName ?? "umpire"}` : "unknown") : [source.name, source.revision].filter(Boolean).join(" @ ")],
    ["licence", manifest.licence],
    ["date", manifest.releaseDate],
    ["calibrated", calibration.uncalibrated === true ? "no: probabilities are as the model states them" : "yes"],
    ...("labels" in manifest ? [["labels", manifest.labels.join(", ")] as const] : []),
    ...("templates" in manifest ? templateRows(manifest.templates) : []),
    [
      "limits",
      `${limits.stateTokens} tokens of text, read ${limits.windowTokens} at a time; ${limits.instructionsTokens} of instructions, ${limits.optionTokens} an option`,
    ],
    ["graphs", Object.keys(manifest.graphs).join(", ")],
    ["files", Object.entries(files).map(([name, file]) => `${name} (${bytesText(file.sizeBytes)})`).join(", ")],
    ["size", bytesText(sizeBytes)],
    ["folder", folder],
  ];
  const lines = rows.flatMap(([name, text]) => {
    const [first = "", ...more] = wrap(oneLine(text), width - NAME_CELLS - 2);
    const indent = " ".repeat(NAME_CELLS + 2);
    return [`  ${paint("dim", fit(name, NAME_CELLS))}${first}`, ...more.map((line) => indent + line)];
  });
  return `${[paint("bold", id), ...lines].join("\n")}\n`;
}

/** A template is a text, or has several parts with names. */
function templateRows(templates: object): (readonly [string, string])[] {
  return Object.entries<string | object>({ ...templates }).map(([type, template], i) => {
    const parts = typeof template === "string" ? template : Object.entries(template).map(([part, text]) => `${part} ${text}`).join(", ");
    return [i === 0 ? "templates" : "", `${type}: ${parts}`] as const;
  });
}
