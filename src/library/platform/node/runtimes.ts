import type { Runtime } from "../../engine/runtime.ts";
import { findNativeBinding } from "./native-binding.ts";
import type { NativeBinding } from "./native-binding.ts";
import { gated } from "./native-gate.ts";
import type { NativeGate } from "./native-gate.ts";
import { withProbe } from "./saturation.ts";
import { loadWasmRuntime } from "./wasm-runtime.ts";

/** How a thread loads the runtimes of Node's devices. */
export interface NodeRuntimes {
  /** @throws {DecideError} `backend_unavailable` when the binding would report to its maker */
  findNative(): Promise<NativeBinding>;
  /** @throws {DecideError} `backend_unavailable` */
  loadWasm(threads: number): Promise<Runtime>;
  /** Threads of a run in wasm, by the number that was asked for. */
  wasmThreadsOf(asked: number): number;
}

function probing(binding: NativeBinding): NativeBinding {
  return "runtime" in binding ? { runtime: withProbe(binding.runtime) } : binding;
}

/** @param dist the folder of the built package */
export function runtimesOfCaller(dist: URL): NodeRuntimes {
  return {
    findNative: async () => probing(await findNativeBinding()),
    loadWasm: (threads) => loadWasmRuntime(dist, threads),
    // The runtime ends its other threads only together with the thread that started it: here they would outlive the decider.
    wasmThreadsOf: () => 1,
  };
}

/**
 * Native code passes the gate. A run in wasm does not: a thread may be ended inside it. But to start it reads files, and so do its threads.
 * @param isTelemetryOff as the thread found that started this one
 */
export function runtimesOfWorker(dist: URL, gate: NativeGate, isTelemetryOff: boolean): NodeRuntimes {
  return {
    findNative: async () => {
      const binding = await gate.pass(() => findNativeBinding(isTelemetryOff));
      return "runtime" in binding ? probing({ runtime: gated(binding.runtime, gate) }) : binding;
    },
    loadWasm: (threads) => gate.pass(() => loadWasmRuntime(dist, threads)),
    wasmThreadsOf: (asked) => asked,
  };
}
