import { onDemand } from "../../../async/on-demand.ts";
import { precisionsOf } from "../../../engine/devices.ts";
import { lettingMessagesIn } from "../../onnxruntime-web/wasm-runs.ts";
import type { BrowserDevice } from "../device-names.ts";
import type { BrowserDeviceTraits } from "./traits.ts";
import type * as WebGpu from "../webgpu/index.ts";

const wasm: BrowserDeviceTraits = {
  // Threads share memory, which browsers grant only to cross-origin isolated pages.
  threadsOf: (asked) => (crossOriginIsolated ? asked : 1),
  precisionsOf: (asked) => precisionsOf("wasm", asked),
  runtimeOf: lettingMessagesIn,
};

const TRAITS: { readonly [D in BrowserDevice]: () => Promise<BrowserDeviceTraits> } = {
  wasm: () => Promise.resolve(wasm),
  webgpu: async () => (await loadWebGpu()).webGpu,
};

/** @throws {DecideError} `backend_unavailable` when the device's own script cannot be loaded. */
export function traitsOf(device: BrowserDevice): Promise<BrowserDeviceTraits> {
  return TRAITS[device]();
}

export function loadWebGpu(): Promise<typeof WebGpu> {
  return onDemand("webgpu", import("../webgpu/index.ts"));
}
