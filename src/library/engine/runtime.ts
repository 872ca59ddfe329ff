import type { InferenceSession, Tensor } from "onnxruntime-common";
import { DecideError } from "../../errors.ts";
import { DEVICES, isOutOfMemory, outOfMemory, unfit } from "./devices.ts";
import type { Device, Precision } from "./engine.ts";

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

/** The runtime with its sessions changed. */
export function withSessions({ Tensor, InferenceSession }: Runtime, change: (session: Session) => Session | Promise<Session>): Runtime {
  return { Tensor, InferenceSession: { create: async (graph, options) => change(await InferenceSession.create(graph, options)) } };
}

export type { Tensor } from "onnxruntime-common";

/**
 * How long the threads of a run spin while they wait for each other. On quiet processors a thread that spins goes on soonest. On busy ones it takes its
 * processor from a thread that works: with onnxruntime's own choice, tens of milliseconds, two threads took twice as long as one (bench/LOG.md). After a run
 * none spins: it would keep the answer from the caller's thread.
 */
const SPIN_MICROSECONDS = 25;

/** Where and how a graph runs. */
export interface Placement {
  readonly device: Device;
  readonly precision: Precision;
  /** Threads inside one run, 1 or more. */
  readonly threads: number;
}

/**
 * Makes the session that runs a graph.
 * @throws {DecideError} `model_invalid` when the runtime refuses the graph; `backend_unavailable` when a driver does, or when there is too little memory.
 */
export async function createSession(runtime: Runtime, graph: Graph, placement: Placement): Promise<Session> {
  try {
    return await runtime.InferenceSession.create(graph.bytes, sessionOptions(graph, placement));
  } catch (cause) {
    if (DecideError.isInstance(cause)) throw cause;
    if (isOutOfMemory(cause)) throw outOfMemory(cause);
    if (DEVICES[placement.device].hasDriver) throw unfit(placement.device, "refuses it", cause);
    const message = `The runtime refuses the graph ${graph.file}. The pack does not fit this version of umpire: install them together.`;
    throw new DecideError("model_invalid", message, { cause });
  }
}

function sessionOptions(graph: Graph, { device, precision, threads }: Placement): InferenceSession.SessionOptions {
  const { externalData, keptOutputs = [], optimisation = "basic" } = graph;
  const { outputLocation, unoptimised } = DEVICES[device];
  return {
    executionProviders: [device],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // The recipe's graphs are written in the operators that should run. Beyond `basic`, onnxruntime fuses them into slower ones, and takes scales by
    // row for one scale a tensor (ARCHITECTURE.md, "Traps"). Published graphs are plain exports, which it makes faster.
    graphOptimizationLevel: optimisation === "basic" && unoptimised === precision ? "disabled" : optimisation,
    // Sizes differ from run to run: an arena and remembered plans would hold the memory of the largest run for ever, and save no time.
    enableMemPattern: false,
    enableCpuMemArena: false,
    logSeverityLevel: 3,
    extra: { session: { "intra_op.spin_duration_us": String(SPIN_MICROSECONDS), force_spinning_stop: "1" } },
    ...(externalData && { externalData }),
    ...(outputLocation && { preferredOutputLocation: Object.fromEntries(keptOutputs.map((name) => [name, outputLocation])) }),
  };
}
