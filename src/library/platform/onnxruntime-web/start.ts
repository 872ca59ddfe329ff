import type { OnnxRuntimeWeb } from "./module.ts";

/** A graph that returns its input: an ONNX model of one Identity, in its binary form. The least that makes the runtime start. */
const LEAST_GRAPH = Uint8Array.from(
  atob("CAk6NgoQCgFhEgFiIghJZGVudGl0eRIAWg8KAWESCgoICAESBAoCCAFiDwoBYhIKCggIARIECgIIAUIECgAQEg=="),
  (char) => char.charCodeAt(0),
);

/** Compiles the runtime now, while the model may still be loading, and starts its threads. */
export async function startOnnxRuntimeWeb(
  { env, InferenceSession }: OnnxRuntimeWeb,
  threads: number,
  binary: Uint8Array | ArrayBuffer,
): Promise<void> {
  env.wasm.numThreads = threads;
  env.wasm.wasmBinary = binary;
  const session = await InferenceSession.create(LEAST_GRAPH, { executionProviders: ["wasm"] });
  await session.release();
  // The binary is compiled now and not read again: this frees its memory.
  env.wasm.wasmBinary = undefined;
}
