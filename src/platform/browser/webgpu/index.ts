// What only WebGPU needs: a page's worker loads it where there is a GPU.

import type { BrowserDeviceTraits } from "../devices/traits.ts";
import { gpuPrecisions } from "./adapter.ts";
import { endingWithTheGpu } from "./runs.ts";

export { tryWebGpu } from "./try-webgpu.ts";

export const webGpu: BrowserDeviceTraits = {
  threadsOf: () => 1,
  precisionsOf: gpuPrecisions,
  runtimeOf: endingWithTheGpu,
};
