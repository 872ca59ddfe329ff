// What only WebGPU needs: a page's worker loads it where there is a GPU.
import type { Runtime } from "../../../engine/runtime.ts";
import type { OnnxRuntimeWeb } from "../../onnxruntime-web/module.ts";
import type { BrowserDeviceTraits } from "../devices/traits.ts";
import { gpuPrecisions } from "./adapter.ts";

export { tryWebGpu } from "./try-webgpu.ts";

export const webGpu: BrowserDeviceTraits = {
  threadsOf: () => 1,
  precisionsOf: gpuPrecisions,
  runtimeOf: endingWithTheGpu,
};

/** The runtime with runs that fail as soon as their GPU device is lost: the runtime itself may never settle them. */
function endingWithTheGpu({ Tensor, InferenceSession, env }: OnnxRuntimeWeb): Runtime {
  return {
    Tensor,
    InferenceSession: {
      create: async (graph, options) => {
        const session = await InferenceSession.create(graph, options);
        const device = await env.webgpu.device;
        const lost = device.lost.then(({ reason, message }) => {
          throw new Error(`the GPU device was lost: ${reason}, ${message}`);
        });
        lost.catch(() => undefined);
        return { run: (feeds, fetches) => Promise.race([session.run(feeds, fetches), lost]), release: () => session.release() };
      },
    },
  };
}
