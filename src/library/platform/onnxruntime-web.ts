import { DecideError } from "../../errors.ts";
import { isOutOfMemory, outOfMemory } from "../engine/devices.ts";
import { withSessions, type Runtime } from "../engine/runtime.ts";

/** The part of onnxruntime-web's module that is used here. */
export interface OnnxRuntimeWeb extends Runtime {
  readonly env: {
    readonly wasm: {
      /** Includes the thread that starts the runtime. Unset or 0 until the runtime starts. */
      numThreads?: number;
      wasmBinary?: Uint8Array | ArrayBuffer | undefined;
      /** Node only: URL of the script that starts the binary, and its threads. */
      wasmPaths?: { readonly mjs: string };
    };
    readonly webgpu: { adapter?: GPUAdapter; readonly device: Promise<GPUDevice> };
  };
}

/** A graph that returns its input: an ONNX model of one Identity, in its binary form. The least that makes the runtime start. */
const LEAST_GRAPH = Uint8Array.from(
  atob("CAk6NgoQCgFhEgFiIghJZGVudGl0eRIAWg8KAWESCgoICAESBAoCCAFiDwoBYhIKCggIARIECgIIAUIECgAQEg=="),
  (char) => char.charCodeAt(0),
);

/**
 * Compiles the runtime now, while the model may still be loading, and starts its threads.
 * @param whyNot says why it could not start, and what to do
 * @throws {DecideError} `backend_unavailable`
 */
export async function startOnnxRuntimeWeb(
  { env, InferenceSession }: OnnxRuntimeWeb,
  threads: number,
  binary: Promise<Uint8Array> | ArrayBuffer,
  whyNot: string,
): Promise<void> {
  try {
    env.wasm.numThreads = threads;
    env.wasm.wasmBinary = await binary;
    const session = await InferenceSession.create(LEAST_GRAPH, { executionProviders: ["wasm"] });
    await session.release();
    // The binary is compiled now and not read again: this frees its memory.
    env.wasm.wasmBinary = undefined;
  } catch (cause) {
    throw isOutOfMemory(cause) ? outOfMemory(cause) : new DecideError("backend_unavailable", whyNot, { cause });
  }
}

/**
 * The runtime with a pause after each run, so that an abort is heard before the next one. A run in wasm holds the worker's thread to its end, and
 * code that awaits it continues before any message is delivered.
 */
export function lettingMessagesIn(runtime: OnnxRuntimeWeb): Runtime {
  return withSessions(runtime, (session) => ({
    run: async (feeds, fetches) => {
      const results = await session.run(feeds, fetches);
      await nextTask();
      return results;
    },
    release: () => session.release(),
  }));
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
