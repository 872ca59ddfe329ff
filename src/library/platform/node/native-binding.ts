import { createSession, type Runtime, type Graph } from "../../engine/runtime.ts";
import { DecideError } from "../../../errors.ts";
import { asRefusal } from "./permission.ts";
import { switchOffTelemetry, wouldCallHome, cLibrary } from "./telemetry.ts";

/** Where onnxruntime-node has a native binding, as process.platform and process.arch. It is an optional dependency: see docs/node.md. */
export const PREBUILT: readonly string[] = ["linux-x64", "linux-arm64", "darwin-arm64", "win32-x64", "win32-arm64"];

/** onnxruntime-node, or why it does not run here. */
export type NativeBinding = { readonly runtime: Runtime } | { readonly missing: MissingBinding };

interface MissingBinding {
  /** Starts a sentence. */
  readonly reason: string;
  /** The remedy: one sentence or more. */
  readonly advice: string;
  readonly cause: unknown;
}

/**
 * Loads onnxruntime-node into this process.
 * @param isTelemetryOff by default it is switched off now, if this thread can do that
 * @throws {DecideError} `backend_unavailable` when the binding would report to its maker
 */
export async function findNativeBinding(isTelemetryOff = switchOffTelemetry()): Promise<NativeBinding> {
  let runtime: Runtime;
  try {
    runtime = await import("onnxruntime-node");
  } catch (cause) {
    return { missing: { ...explain(cause), cause } };
  }
  // Loading it tells nobody anything; its first session would.
  if (!isTelemetryOff) throw wouldCallHome();
  return { runtime };
}

/** @throws {DecideError} `backend_unavailable` when it does not run here */
export function runtimeOf(binding: NativeBinding): Runtime {
  if ("runtime" in binding) return binding.runtime;
  const { reason, advice, cause } = binding.missing;
  const message = `The device cpu is not there: ${reason}. ${advice} Or use the device wasm, which needs no binding, or auto.`;
  throw new DecideError("backend_unavailable", message, { cause });
}

/** Facts of this system come first: nothing that is installed would change them. */
function explain(cause: unknown): Omit<MissingBinding, "cause"> {
  const here = `${process.platform}-${process.arch}`;
  if (!PREBUILT.includes(here))
    return {
      reason: `onnxruntime-node has no native binding for ${here}`,
      advice: `It has one for ${PREBUILT.join(", ")}.`,
    };
  if (cLibrary() === "musl")
    return {
      reason: "the native binding of onnxruntime-node needs glibc, and this system has musl, as Alpine does",
      advice: "For more speed use a system with glibc, such as Debian.",
    };
  const { code } = cause as NodeJS.ErrnoException;
  if (code === "ERR_DLOPEN_DISABLED")
    return {
      reason: "Node was started without the right to load native addons",
      advice: "Start it with --allow-addons, and without --no-addons.",
    };
  if (asRefusal(cause) !== cause)
    return {
      reason: "Node's permission model keeps this program from reading onnxruntime-node",
      advice: "Start Node with --allow-fs-read for the folder node_modules.",
    };
  if (code === "ERR_MODULE_NOT_FOUND")
    return {
      reason: "onnxruntime-node is not installed: optional packages were left out, or its install script failed",
      advice: "For more speed run `npm install --ignore-scripts`, which installs it: its script only downloads what umpire does not use.",
    };
  return {
    reason: `the native binding of onnxruntime-node cannot be loaded on ${here}`,
    advice: "Install umpire again on this machine, without copying node_modules from another one. Linux needs glibc 2.28 or newer.",
  };
}

const ROWS = 8;
const DEPTH = 64;
/** The exact sum of the largest products. */
const EXACT = DEPTH * 255 * 127;

/** onnxruntime-node, which can tell whether the processor's products saturate. */
export function withProbe(runtime: Runtime): Runtime {
  const { InferenceSession, Tensor } = runtime;
  return { InferenceSession, Tensor, productsSaturate: (probe) => productsSaturate(probe, runtime) };
}

/** @param probe multiplies the largest values there are */
async function productsSaturate(probe: Graph, runtime: Runtime): Promise<boolean> {
  const session = await createSession(runtime, probe, { device: "cpu", precision: "int8", threads: 1 });
  try {
    const a = new runtime.Tensor("uint8", new Uint8Array(ROWS * DEPTH).fill(255), [ROWS, DEPTH]);
    const { y } = await session.run({ a }, ["y"]);
    const sums = y?.data;
    if (!(sums instanceof Int32Array))
      throw new DecideError("model_invalid", `The graph ${probe.file} does not give the sums that it should: install the pack again.`);
    return sums.some((sum) => sum !== EXACT);
  } finally {
    await session.release();
  }
}
