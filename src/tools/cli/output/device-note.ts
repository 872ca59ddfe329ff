import type { EngineInfo } from "../../../library/engine/engine.ts";
import { fallbackNote } from "../../../library/platform/node/platform.ts";
import type { Io } from "../io.ts";
import { escapeControls } from "./terminal-text.ts";

/** Says on standard error why the model runs on wasm, and what to do for more speed. Not if wasm was asked for. */
export function noteSlowDevice({ stderr }: Pick<Io, "stderr">, info: Pick<EngineInfo, "device" | "deviceReason">): void {
  const note = fallbackNote(info);
  if (note !== undefined) stderr.write(escapeControls(`umpire: ${note}\n`));
}
