import type { EngineInfo } from "../../engine/engine.ts";
import { ASKED_FOR } from "../../engine/devices.ts";
import type { Io } from "../io.ts";
import { escapeControls } from "./terminal-text.ts";

/** Says on standard error why the model runs on wasm, and what to do for more speed. Not if wasm was asked for. */
export function noteSlowDevice(
  { stderr }: Pick<Io, "stderr">,
  { device, deviceReason }: Pick<EngineInfo, "device" | "deviceReason">,
): void {
  if (device === "wasm" && deviceReason !== ASKED_FOR) stderr.write(escapeControls(`umpire: the model runs on wasm. ${deviceReason}\n`));
}
