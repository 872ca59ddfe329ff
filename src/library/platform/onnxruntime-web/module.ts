import type { Runtime } from "../../engine/runtime.ts";

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
