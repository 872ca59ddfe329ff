import type { InferenceSession, Tensor } from "onnxruntime-common";

/** The part of onnxruntime that an engine uses; a platform brings it. */
export interface Runtime {
  readonly InferenceSession: {
    create(graph: Uint8Array, options: InferenceSession.SessionOptions): Promise<InferenceSession>;
  };
  readonly Tensor: typeof Tensor;
}

export type { InferenceSession, Tensor } from "onnxruntime-common";
