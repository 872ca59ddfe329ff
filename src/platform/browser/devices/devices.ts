import { precisionsOf } from "../../../engine/devices.ts";
import type { Precision } from "../../../engine/engine.ts";
import type { Runtime } from "../../../engine/runtime.ts";
import type { OnnxRuntimeWeb } from "../../onnxruntime-web/module.ts";
import { lettingMessagesIn } from "../../onnxruntime-web/wasm-runs.ts";
import type { BrowserDevice } from "../device-names.ts";
import { endingWithTheGpu } from "../runtime/gpu-runs.ts";
import { gpuPrecisions } from "./gpu-adapter.ts";

type Precisions = readonly [Precision, ...Precision[]];

/** How a browser's devices differ, apart from the engine's own table. */
interface BrowserDeviceTraits {
  /** Threads of one run, by the number that was asked for. */
  threadsOf(asked: number): number;
  /**
   * Arithmetic to try, in order, by what was asked for.
   * @throws {DecideError} `backend_unavailable` when this machine does not have the device, or the device not the arithmetic
   */
  precisionsOf(asked: Precision | undefined): Precisions | Promise<Precisions>;
  /** onnxruntime-web as the engine uses it on this device. */
  runtimeOf(ort: OnnxRuntimeWeb): Runtime;
}

export const BROWSER_DEVICE_TRAITS: { readonly [D in BrowserDevice]: BrowserDeviceTraits } = {
  wasm: {
    // Threads share memory, which browsers grant only to cross-origin isolated pages.
    threadsOf: (asked) => (crossOriginIsolated ? asked : 1),
    precisionsOf: (asked) => precisionsOf("wasm", asked),
    runtimeOf: lettingMessagesIn,
  },
  webgpu: {
    threadsOf: () => 1,
    precisionsOf: gpuPrecisions,
    runtimeOf: endingWithTheGpu,
  },
};
