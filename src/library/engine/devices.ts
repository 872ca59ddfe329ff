import { DecideError } from "../../errors.ts";
import type { Device, Precision } from "./engine.ts";

/** The reason of a device that the caller named. */
export const ASKED_FOR = "asked for";

/** The traits of a device that an engine must know. One that is absent is false, or none. */
export interface DeviceTraits {
  /** Its name in a sentence. */
  readonly label: string;
  /** Arithmetic that the device has, the one for everyday use first. */
  readonly precisions: readonly [Precision, ...Precision[]];
  /** Whether it has no tensors without elements. On a GPU onnxruntime aborts on them, so an empty cache is one masked row there. */
  readonly lacksEmptyTensors?: true;
  /** Where tensors stay that only the next run reads. Absent: main memory. */
  readonly outputLocation?: "gpu-buffer";
  /** The precision for which even onnxruntime's `basic` optimisations cost more time than they save. */
  readonly unoptimised?: Precision;
  /** Whether a driver compiles the graph: then the driver, not the pack, is to blame for a graph that does not work. */
  readonly hasDriver?: true;
  /** Whether all workers would share the one GPU: then a second worker would only wait for it. */
  readonly isOneForAll?: true;
  /** The device that answers a call that this one failed. */
  readonly fallback?: Device;
}

/** The one table of devices. `Device` in engine.ts names them; the compiler asks for a row for each. */
export const DEVICES: { readonly [D in Device]: DeviceTraits } = {
  cpu: { label: "The processor", precisions: ["int8", "fp32"] },
  // `basic` takes a third of a second there, and finds nothing in the int8 graph that a run would notice.
  wasm: { label: "WebAssembly", precisions: ["int8", "fp32"], unoptimised: "int8" },
  webgpu: {
    label: "WebGPU",
    precisions: ["fp16", "fp32"],
    lacksEmptyTensors: true,
    outputLocation: "gpu-buffer",
    hasDriver: true,
    isOneForAll: true,
    fallback: "wasm",
  },
};

/**
 * The precisions to try, in order: the one that was asked for, or all that the device has.
 * @throws {DecideError} `backend_unavailable` when the device does not have what was asked for.
 */
export function precisionsOf(device: Device, asked: Precision | undefined): readonly [Precision, ...Precision[]] {
  if (asked === undefined) return DEVICES[device].precisions;
  checkPrecision(device, asked);
  return [asked];
}

/** @throws {DecideError} `backend_unavailable` when the device does not have this arithmetic. */
export function checkPrecision(device: Device, precision: Precision): void {
  const { precisions } = DEVICES[device];
  if (precisions.includes(precision)) return;
  throw new DecideError("backend_unavailable", `The device ${device} does not have ${precision}. Use one of: ${precisions.join(", ")}.`);
}

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
