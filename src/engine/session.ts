import { DecideError } from "../errors.ts";
import type { Device, Precision } from "./engine.ts";
import type { Manifest } from "./pack/manifest.ts";
import type { ModelPack } from "./pack/model-pack.ts";
import type { Runtime, Session, SessionOptions } from "./runtime.ts";

export interface SessionChoice {
  readonly device: Device;
  readonly precision: Precision;
  readonly threads: number;
}

export type GraphName = keyof Omit<Manifest["graphs"], "probe">;

export interface LoadedSession {
  readonly session: Session;
  /** Key of the manifest's `graphs`. */
  readonly graph: GraphName;
}

/** Arithmetic that each device has, the one for everyday use first. */
export const PRECISIONS: { readonly [D in Device]: readonly Precision[] } = {
  cpu: ["int8", "fp32"],
  wasm: ["int8", "fp32"],
  webgpu: ["fp16", "fp32"],
};

/**
 * Makes the session that runs a pack's segment graph on a device.
 * @throws {DecideError} `model_invalid` when the runtime refuses the graph; `backend_unavailable` when device or pack have no such arithmetic, or no memory for it.
 */
export async function loadSession(pack: ModelPack, runtime: Runtime, options: SessionChoice): Promise<LoadedSession> {
  const { weights } = pack.manifest;
  const saturating = options.device === "cpu" && options.precision === "int8" && (await saturates(pack, runtime));
  const graph = saturating ? "int8-wide" : graphFor(options);
  const file = fileOf(pack.manifest, graph);
  const session = await create(runtime, file, pack.read(file), {
    ...settings(options),
    // Memories stay on the GPU from run to run; logits, three numbers an option, come back.
    ...(options.device === "webgpu" && { preferredOutputLocation: onGpu(pack.manifest) }),
    externalData: [{ path: weights, data: pack.read(weights) }],
  });
  return { session, graph };
}

/** Names of the files that a session needs and whoever reads text for it. */
export function filesFor(manifest: Manifest, choice: SessionChoice): string[] {
  return [manifest.tokenizer.file, fileOf(manifest, graphFor(choice)), manifest.weights];
}

/** @throws {DecideError} `backend_unavailable` when the device has no such arithmetic. */
export function graphFor({ device, precision }: Pick<SessionChoice, "device" | "precision">): GraphName {
  if (!PRECISIONS[device].includes(precision)) {
    throw new DecideError("backend_unavailable", `There is no ${precision} on ${device}. There is: ${PRECISIONS[device].join(", ")}.`);
  }
  if (device === "webgpu") return precision === "fp16" ? "webgpu-fp16" : "webgpu-fp32";
  return precision === "int8" ? "int8" : "fp32";
}

function fileOf({ id, graphs }: Manifest, graph: GraphName): string {
  const file = graphs[graph];
  if (file !== undefined) return file;
  throw new DecideError("backend_unavailable", `The model ${id} has no graph ${graph}. Use another device, or a newer model.`);
}

function onGpu({ network }: Manifest): NonNullable<SessionOptions["preferredOutputLocation"]> {
  const layers = Array.from({ length: network.layers }, (_, i) => [`present.${i}.key`, `present.${i}.value`]);
  return Object.fromEntries(layers.flat().map((name) => [name, "gpu-buffer" as const]));
}

function settings({ device, precision, threads }: SessionChoice): SessionOptions {
  return {
    executionProviders: [device],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // The graphs are written in the operators that should run. Beyond `basic`, onnxruntime fuses them into slower ones, and
    // takes scales by row for one scale a tensor (ARCHITECTURE.md, "Traps").
    // In wasm even `basic` takes a third of a second, and finds nothing in the int8 graph that a run would notice.
    graphOptimizationLevel: device === "wasm" && precision === "int8" ? "disabled" : "basic",
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
    if (DecideError.isInstance(cause)) throw cause;
    if (isOutOfMemory(cause)) throw outOfMemory(cause);
    // The device itself is made here, and its driver compiles what it computes.
    if (options.executionProviders?.includes("webgpu")) throw unfit("refuses it", cause);
    throw new DecideError(
      "model_invalid",
      `The runtime refuses the graph ${name}. The pack does not fit this version of umpire: install them together.`,
      { cause },
    );
  }
}

/** By their own words: C++ has std::bad_alloc, JavaScript "Array buffer allocation failed", WebAssembly "could not allocate memory", WebGPU "Out of memory". */
export function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && /bad_alloc|out of memory|could not allocate|allocation failed/i.test(cause.message);
}

export function unfit(what: string, cause?: unknown): DecideError {
  return new DecideError("backend_unavailable", `This GPU or its driver is not fit for the model: it ${what}. Use the device wasm.`, {
    cause,
  });
}

export function outOfMemory(cause: unknown): DecideError {
  const message =
    "There is not enough free memory for the model, which needs about 150 MB. Close other pages or programs, or use a smaller model.";
  return new DecideError("backend_unavailable", message, { cause });
}

/**
 * Whether this processor's product of uint8 and int8 saturates in 16 bits, as x86 without VNNI does: the int8 graph would be silently
 * wrong there. The pack's probe multiplies the largest values; exact arithmetic gives 64 * 255 * 127. WebAssembly's product is exact by its definition.
 */
async function saturates(pack: ModelPack, runtime: Runtime): Promise<boolean> {
  const rows = 8;
  const depth = 64;
  const { probe } = pack.manifest.graphs;
  const session = await create(runtime, probe, pack.read(probe), settings({ device: "cpu", precision: "int8", threads: 1 }));
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
