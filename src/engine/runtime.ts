import type { InferenceSession, Tensor } from "onnxruntime-common";

/** The part of onnxruntime that an engine uses; a platform brings it. */
export interface Runtime {
  readonly InferenceSession: {
    create(graph: Uint8Array, options: InferenceSession.SessionOptions): Promise<Session>;
  };
  readonly Tensor: typeof Tensor;
}

/** A loaded graph. */
export interface Session {
  /** `fetches`: names of the outputs that are wanted. */
  run(feeds: InferenceSession.FeedsType, fetches: readonly string[]): Promise<InferenceSession.ReturnType>;
  release(): Promise<void>;
}

export type SessionOptions = InferenceSession.SessionOptions;

export type { Tensor } from "onnxruntime-common";
