import type { InferenceSession, Tensor } from "onnxruntime-common";

/** A graph as a pack holds it. */
export interface Graph {
  /** The graph's file, for messages. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Weights that lie in files of their own. */
  readonly externalData?: readonly { readonly path: string; readonly data: Uint8Array }[];
  /** How far onnxruntime may rewrite the graph. Default: "basic", for graphs that are written in the operators that should run. */
  readonly optimisation?: "basic" | "all";
  /** Outputs that only later runs read: they stay where the model runs. */
  readonly keptOutputs?: readonly string[];
}

/** The part of onnxruntime that an engine uses; a platform brings it. */
export interface Runtime {
  readonly InferenceSession: {
    create(graph: Uint8Array, options: InferenceSession.SessionOptions): Promise<Session>;
  };
  readonly Tensor: typeof Tensor;
  /**
   * Whether the product of uint8 and int8 saturates in 16 bits, as on x86 without VNNI: there a graph of such products would be silently wrong. Absent where
   * arithmetic is exact by definition, as in WebAssembly.
   * @throws {DecideError} `model_invalid` for a probe that is none
   */
  productsSaturate?(probe: Graph): Promise<boolean>;
}

/** A loaded graph. */
export interface Session {
  /** `fetches`: names of the outputs that are wanted. */
  run(feeds: InferenceSession.FeedsType, fetches: readonly string[]): Promise<InferenceSession.ReturnType>;
  release(): Promise<void>;
}

export type SessionOptions = InferenceSession.SessionOptions;

export type { Tensor } from "onnxruntime-common";
