import { DecideError } from "../../errors.ts";
import { DEVICES } from "./devices.ts";
import type { Device } from "./engine.ts";

/**
 * Whether memory ran out, by what the error says: C++ "std::bad_alloc", JavaScript "Array buffer allocation failed", WebAssembly "could not allocate
 * memory", WebGPU "Out of memory".
 */
export function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && /bad_alloc|out of memory|could not allocate|allocation failed/i.test(cause.message);
}

export function outOfMemory(cause: unknown): DecideError {
  const message =
    "There is not enough free memory for the model: umpire-2 needs about 150 MB, larger ones more. Close other pages or programs, or use a smaller model.";
  return new DecideError("backend_unavailable", message, { cause });
}

/** The error for a run, or for getting at what a run gave. Where a device has a fallback, that takes over. */
export function runtimeFailed(cause: unknown): DecideError {
  return new DecideError("backend_failed", "The runtime failed. The error's cause says what.", { cause });
}

/** The error for a device whose driver cannot run the model. @param what completes "it ..." */
export function unfit(device: Device, what: string, cause?: unknown): DecideError {
  const message = `This GPU or its driver is not fit for the model: it ${what}. Use the device ${DEVICES[device].fallback ?? "auto"}.`;
  return new DecideError("backend_unavailable", message, { cause });
}
