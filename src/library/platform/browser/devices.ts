import type { Engine, Precision } from "../../engine/engine.ts";
import type { Runtime } from "../../engine/runtime.ts";
import type { OnnxRuntimeWeb } from "../onnxruntime-web.ts";
import type { BrowserDevice } from "../platform.ts";

type Precisions = readonly [Precision, ...Precision[]];

/** How a browser's devices differ, apart from the engine's own table. */
export interface BrowserDeviceTraits {
  /** Threads of one run, by the number that was asked for. */
  readonly threadsOf: (asked: number) => number;
  /**
   * Arithmetic to try, in order, by what was asked for.
   * @throws {DecideError} `backend_unavailable` when this machine does not have the device, or the device not the arithmetic
   */
  readonly precisionsOf: (asked: Precision | undefined) => Precisions | Promise<Precisions>;
  /** onnxruntime-web as the engine uses it on this device. */
  readonly runtimeOf: (ort: OnnxRuntimeWeb) => Runtime;
}

/** Loads the engine on a device. `deviceReason`: why that one, for `info()`. */
export type LoadOn = (device: BrowserDevice, deviceReason: string) => Promise<Engine>;
