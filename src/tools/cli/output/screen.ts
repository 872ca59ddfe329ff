import { styleText } from "node:util";
import { Option, type Command } from "commander";
import type { Io, OutputStream } from "../io.ts";
import { escapeControls } from "./terminal-text.ts";

export interface Screen {
  readonly width: number;
  readonly paint: Paint;
}

export interface OutputFlags {
  readonly json?: true;
  readonly pretty?: true;
  /** False for --no-color. */
  readonly color: boolean;
}

/** Longer lines are hard to read, and longer bars show nothing more. */
const MAX_WIDTH = 100;
const MIN_WIDTH = 40;
const DEFAULT_WIDTH = 80;

export function addOutputFlags(command: Command): Command {
  return command
    .addOption(new Option("--json", "print JSON, even in a terminal").conflicts("pretty"))
    .option("--pretty", "print for people, even if the output is not a terminal")
    .option("--no-color", "print without colours");
}

/** The terminal's width and colours; undefined if the output is for a program and must be JSON. */
export function screenFor({ stdout, env }: Pick<Io, "stdout" | "env">, { json, pretty, color }: OutputFlags): Screen | undefined {
  if (json === true || (pretty !== true && stdout.isTTY !== true)) return undefined;
  return {
    width: Math.min(Math.max(columnsOf(stdout), MIN_WIDTH), MAX_WIDTH),
    paint: color && wantsColors(stdout, env) ? colored : plain,
  };
}

/** Cells in a line of a terminal, or the usual ones. */
export function columnsOf({ isTTY, columns = DEFAULT_WIDTH }: OutputStream): number {
  return isTTY === true ? columns : DEFAULT_WIDTH;
}

/** Writes one JSON document. Characters that JSON allows but a terminal would obey are escaped. */
export function writeJson({ stdout }: Pick<Io, "stdout">, value: unknown): void {
  stdout.write(`${escapeControls(JSON.stringify(value, null, 2))}\n`);
}

/** Writes the result of a command: as JSON, or for people as `show` draws it. */
export function writeResult(io: Pick<Io, "stdout" | "env">, flags: OutputFlags, json: unknown, show: (screen: Screen) => string): void {
  const screen = screenFor(io, flags);
  if (screen === undefined) writeJson(io, json);
  else io.stdout.write(show(screen));
}

type Style = "bold" | "dim" | "underline" | "green" | "yellow" | "cyan" | "red";

/** Text in a style, or unchanged if colours are off. */
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;

// wantsColors has already checked the stream; styleText must not apply rules of its own.
export const colored: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** FORCE_COLOR wins over NO_COLOR (https://no-color.org), as in Node; without either, the terminal decides. */
export function wantsColors(stream: Pick<OutputStream, "isTTY" | "getColorDepth">, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR, NO_COLOR } = env;
  if (FORCE_COLOR !== undefined) return !["0", "false"].includes(FORCE_COLOR);
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  return stream.isTTY === true && (stream.getColorDepth?.(env) ?? 1) > 1;
}
