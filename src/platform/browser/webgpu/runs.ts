import type { Runtime } from "../../../engine/runtime.ts";
import type { OnnxRuntimeWeb } from "../../onnxruntime-web/module.ts";

/** The runtime with runs that fail as soon as their GPU device is lost: the runtime itself may never settle them. */
export function endingWithTheGpu({ Tensor, InferenceSession, env }: OnnxRuntimeWeb): Runtime {
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
