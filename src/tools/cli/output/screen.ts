import { styleText } from "node:util";
import { Option, type Command } from "commander";
import type { Decider } from "../../../library/decider/decider.ts";
import type { EngineInfo } from "../../../library/engine/engine.ts";
import { fallbackNote } from "../../../library/platform/node/platform.ts";
import type { LessonPlaces } from "../input/flags.ts";
import type { Io, OutputStream } from "../io.ts";
import { bar, escapeControls } from "./terminal-text.ts";

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

/** Says something to the person who watches, on standard error. */
export function notice({ stderr }: Pick<Io, "stderr">, message: string): void {
  stderr.write(escapeControls(`umpire: ${message}\n`));
}

/** Says on standard error why the model runs on wasm, and what to do for more speed. Not if wasm was asked for. */
export function noteSlowDevice({ stderr }: Pick<Io, "stderr">, info: Pick<EngineInfo, "device" | "deviceReason">): void {
  const note = fallbackNote(info);
  if (note !== undefined) stderr.write(escapeControls(`umpire: ${note}\n`));
}

/** The same once the model is loaded. That it cannot be is not said here. */
export async function noteIfSlow(io: Pick<Io, "stderr">, decider: Pick<Decider, "info">): Promise<void> {
  const info = await decider.info().catch(() => undefined);
  if (info !== undefined) noteSlowDevice(io, info);
}

/** Says on standard error if lessons were given and none of them answered. */
export function noteUnusedLessons({ stderr }: Pick<Io, "stderr">, { lessons }: LessonPlaces, taught: number): void {
  if (lessons === undefined || taught > 0) return;
  stderr.write("umpire: no lesson answered. A lesson answers a question that has its type, instructions and criteria, word for word.\n");
}

const BAR_CELLS = 24;
/** A terminal that is redrawn more often only flickers. */
const REDRAWN_MS = 100;
/** Often enough to see that it goes on, and only 120 lines in an hour. */
const LOGGED_MS = 30_000;

export interface TerminalStream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

interface ProgressOptions {
  /** Unit of the counts, such as MB. Default: things. */
  readonly unit?: string;
  /** Whether a stream that is no terminal, such as a scheduler's log, gets a line every 30 seconds. Default: it gets none. */
  readonly isLogged?: boolean;
  readonly now?: () => number;
}

export interface ProgressLine {
  update(done: number): void;
  /** Draws another line in place, if it is time to. @param textOf the line, by the time in milliseconds; no wider than the terminal */
  draw(textOf: (nowMs: number) => string): void;
  clear(): void;
}

/** One line that says how many are done, redrawn in place. @param total undefined: nobody knows */
export function progressLine(
  stream: TerminalStream,
  total: number | undefined,
  { unit = "", isLogged = false, now = () => performance.now() }: ProgressOptions = {},
): ProgressLine {
  const isTerminal = stream.isTTY === true;
  const everyMs = isTerminal ? REDRAWN_MS : isLogged ? LOGGED_MS : Infinity;
  const startMs = now();
  let writtenMs = isTerminal ? -Infinity : startMs;
  const barOf = (done: number, of: number, nowMs: number): string => {
    const left = done === 0 ? "" : `, ${durationOf((nowMs - startMs) * (of / done - 1))} left`;
    return `${bar(done / of, BAR_CELLS)} ${done} of ${of}${unit && ` ${unit}`}${left}`;
  };
  const draw: ProgressLine["draw"] = (textOf) => {
    const nowMs = now();
    if (nowMs - writtenMs < everyMs) return;
    writtenMs = nowMs;
    stream.write(isTerminal ? `\r\u001b[K${textOf(nowMs)}` : `${textOf(nowMs)}\n`);
  };
  return {
    draw,
    update(done) {
      draw((nowMs) => (total === undefined ? `${done} done` : barOf(done, total, nowMs)));
    },
    clear() {
      if (isTerminal) stream.write("\r\u001b[K");
    },
  };
}

/** For example `8 s`, `3 min` or `5 h`. */
export function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(minutes < 600 ? 1 : 0)} h`;
}
