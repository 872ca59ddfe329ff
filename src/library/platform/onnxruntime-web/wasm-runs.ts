import type { Runtime } from "../../engine/runtime.ts";
import type { OnnxRuntimeWeb } from "./module.ts";

/**
 * The runtime with a pause after each run, so that an abort is heard before the next one. A run in wasm holds the worker's thread to its end, and
 * code that awaits it continues before any message is delivered.
 */
export function lettingMessagesIn({ Tensor, InferenceSession }: OnnxRuntimeWeb): Runtime {
  return {
    Tensor,
    InferenceSession: {
      create: async (graph, options) => {
        const session = await InferenceSession.create(graph, options);
        return {
          run: async (feeds, fetches) => {
            const results = await session.run(feeds, fetches);
            await nextTask();
            return results;
          },
          release: () => session.release(),
        };
      },
    },
  };
}

/** By a message to itself, because browsers delay nested timers by 4 ms. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
