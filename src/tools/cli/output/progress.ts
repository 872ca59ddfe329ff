import type { Decider } from "../../../library/decider/decider.ts";
import type { EngineInfo } from "../../../library/engine/engine.ts";
import { fallbackNote } from "../../../library/platform/node/platform.ts";
import type { LessonPlaces } from "../input/flags.ts";
import type { Io } from "../io.ts";
import { bar, escapeControls } from "./terminal-text.ts";

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
