import type { EngineInfo } from "../../../library/engine/engine.ts";
import { fallbackNote } from "../../../library/platform/node/platform.ts";
import type { LessonPlaces } from "../input/flags.ts";
import type { Io } from "../io.ts";
import { escapeControls } from "./terminal-text.ts";

/** Says something to the person who watches, on standard error. */
export function notice({ stderr }: Pick<Io, "stderr">, message: string): void {
  stderr.write(escapeControls(`umpire: ${message}\n`));
}

/** Says on standard error why the model runs on wasm, and what to do for more speed. Not if wasm was asked for. */
export function noteSlowDevice({ stderr }: Pick<Io, "stderr">, info: Pick<EngineInfo, "device" | "deviceReason">): void {
  const note = fallbackNote(info);
  if (note !== undefined) stderr.write(escapeControls(`umpire: ${note}\n`));
}

/** Says on standard error if lessons were given and none of them answered. */
export function noteUnusedLessons({ stderr }: Pick<Io, "stderr">, { lessons }: LessonPlaces, taught: number): void {
  if (lessons === undefined || taught > 0) return;
  stderr.write("umpire: no lesson answered. A lesson answers a question that has its type, instructions and criteria, word for word.\n");
}
