import { DecideError } from "../errors.ts";
import type { Precision } from "./engine.ts";
import type { ModelPack } from "./model-pack.ts";
import type { Runtime, Session, SessionOptions } from "./runtime.ts";

export interface SessionChoice {
  readonly precision: Precision;
  readonly threads: number;
}

export interface LoadedSession {
  readonly session: Session;
  /** Key of the manifest's `graphs`. */
  readonly graph: "int8" | "int8-wide" | "fp32";
}

/**
 * Makes the session that runs a pack's segment graph on the CPU.
 * @throws {DecideError} `model_invalid` when the runtime refuses the graph.
 */
export async function loadSession(pack: ModelPack, runtime: Runtime, options: SessionChoice): Promise<LoadedSession> {
  const { graphs, weights } = pack.manifest;
  const graph = options.precision === "fp32" ? "fp32" : (await saturates(pack, runtime)) ? "int8-wide" : "int8";
  const session = await create(runtime, graphs[graph], pack.read(graphs[graph]), {
    ...settings(options.threads),
    externalData: [{ path: weights, data: pack.read(weights) }],
  });
  return { session, graph };
}

function settings(threads: number): SessionOptions {
  return {
    executionProviders: ["cpu"],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // The graphs are written in the operators that should run. Beyond `basic`, onnxruntime fuses them into slower ones, and
    // takes scales by row for one scale a tensor (ARCHITECTURE.md, "Traps").
    graphOptimizationLevel: "basic",
    // Sizes differ from run to run: an arena and remembered plans would hold the memory of the largest for ever, and save no time.
    enableMemPattern: false,
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  };
}

async function create(runtime: Runtime, name: string, graph: Uint8Array, options: SessionOptions): Promise<Session> {
  try {
    return await runtime.InferenceSession.create(graph, options);
  } catch (cause) {
    throw new DecideError(
      "model_invalid",
      `The runtime refuses the graph ${name}. The pack does not fit this version of umpire: install them together.`,
      { cause },
    );
  }
}

/**
 * Whether this processor's product of uint8 and int8 saturates in 16 bits, as x86 without VNNI does: the int8 graph would be silently
 * wrong there. The pack's probe multiplies the largest values; exact arithmetic gives 64 * 255 * 127.
 */
async function saturates(pack: ModelPack, runtime: Runtime): Promise<boolean> {
  const rows = 8;
  const depth = 64;
  const { probe } = pack.manifest.graphs;
  const session = await create(runtime, probe, pack.read(probe), settings(1));
  try {
    const a = new runtime.Tensor("uint8", new Uint8Array(rows * depth).fill(255), [rows, depth]);
    const { y } = await session.run({ a }, ["y"]);
    const sums = y?.data;
    if (!(sums instanceof Int32Array))
      throw new DecideError("model_invalid", `The graph ${probe} does not give the sums that it should: install the pack again.`);
    return sums.some((sum) => sum !== depth * 255 * 127);
  } finally {
    await session.release();
  }
}
