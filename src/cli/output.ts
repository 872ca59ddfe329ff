import type { Screen } from "./answer-view.ts";
import { colored, plain, wantsColors } from "./paint.ts";
import { escapeControls } from "./terminal-text.ts";

export interface OutputFlags {
  readonly json?: true;
  readonly pretty?: true;
  /** False for --no-color. */
  readonly color: boolean;
}

/** Longer lines are hard to read, and longer bars say nothing more. */
const MAX_WIDTH = 100;
const MIN_WIDTH = 40;
const DEFAULT_WIDTH = 80;

/** The terminal's width and colours; undefined where the output is for a program, which gets JSON. */
export function screenFor({ json, pretty, color }: OutputFlags): Screen | undefined {
  const { stdout, env } = process;
  if (json === true || (pretty !== true && !stdout.isTTY)) return undefined;
  const columns = stdout.isTTY ? stdout.columns : DEFAULT_WIDTH;
  return {
    width: Math.min(Math.max(columns, MIN_WIDTH), MAX_WIDTH),
    paint: color && wantsColors(stdout, env) ? colored : plain,
  };
}

/** One JSON document. What JSON may hold raw but a terminal obeys is escaped, too. */
export function writeJson(value: unknown): void {
  process.stdout.write(`${escapeControls(JSON.stringify(value, null, 2))}\n`);
}
