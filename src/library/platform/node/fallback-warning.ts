import { ASKED_FOR } from "../../engine/devices.ts";
import type { EngineInfo } from "../../engine/engine.ts";

/** Of the device that an engine runs on. */
type Placed = Pick<EngineInfo, "device" | "deviceReason">;

/** Why the model runs on wasm, and what to do for more speed. Undefined on another device, and where wasm was asked for. */
export function fallbackNote({ device, deviceReason }: Placed): string | undefined {
  return device === "wasm" && deviceReason !== ASKED_FOR ? `the model runs on wasm. ${deviceReason}` : undefined;
}

/** @returns what warns of the fallback to wasm, for every engine that is loaded; it does so once */
export function fallbackWarning(): (info: Placed) => void {
  let hasWarned = false;
  return (info) => {
    const note = fallbackNote(info);
    if (note === undefined || hasWarned) return;
    hasWarned = true;
    process.emitWarning(`umpire: ${note} With the option device: "wasm" there is no warning.`, { code: "UMPIRE_WASM_FALLBACK" });
  };
}
