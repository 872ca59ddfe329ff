import { Option } from "commander";
import type { Command } from "commander";
import { colored, plain, wantsColors } from "./paint.ts";
import type { Paint } from "./paint.ts";
import { escapeControls } from "./terminal-text.ts";

/** How to print for people. */
export interface Screen {
  /** Cells in a line. */
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

/** Adds --json, --pretty and --no-color. */
export function addOutputFlags(command: Command): Command {
  return command
    .addOption(new Option("--json", "print JSON, even in a terminal").conflicts("pretty"))
    .option("--pretty", "print for people, even if the output is not a terminal")
    .option("--no-color", "print without colours");
}

/** The terminal's width and colours; undefined if the output is for a program and must be JSON. */
export function screenFor({ json, pretty, color }: OutputFlags): Screen | undefined {
  const { stdout, env } = process;
  if (json === true || (pretty !== true && !stdout.isTTY)) return undefined;
  const columns = stdout.isTTY ? stdout.columns : DEFAULT_WIDTH;
  return {
    width: Math.min(Math.max(columns, MIN_WIDTH), MAX_WIDTH),
    paint: color && wantsColors(stdout, env) ? colored : plain,
  };
}

/** Writes one JSON document. Characters that JSON allows but a terminal would obey are escaped. */
export function writeJson(value: unknown): void {
  process.stdout.write(`${escapeControls(JSON.stringify(value, null, 2))}\n`);
}
