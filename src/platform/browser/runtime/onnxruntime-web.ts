import type { Runtime } from "../../../engine/runtime.ts";

/** The part of onnxruntime-web's module that is used here. */
export interface OnnxRuntimeWeb extends Runtime {
  readonly env: {
    readonly wasm: { numThreads?: number; wasmBinary?: ArrayBuffer | undefined };
    readonly webgpu: { adapter?: GPUAdapter; readonly device: Promise<GPUDevice> };
  };
}
