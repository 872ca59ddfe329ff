import { readFile } from "node:fs/promises";
import type { Runtime } from "../../engine/runtime.ts";
import { startOnnxRuntimeWeb, lettingMessagesIn, type OnnxRuntimeWeb } from "../onnxruntime-web.ts";
import { findNativeBinding, withProbe, type NativeBinding } from "./native-binding.ts";
import { guarded, type NativeGuard } from "./native-guard.ts";

/** How a thread loads the runtimes of Node's devices. */
export interface NodeRuntimes {
  /** @throws {DecideError} `backend_unavailable` when the binding would report to its maker */
  findNative(): Promise<NativeBinding>;
  /** @throws {DecideError} `backend_unavailable` */
  loadWasm(threads: number): Promise<Runtime>;
  /** Threads of a run in wasm, by the number that was asked for. */
  wasmThreadsOf(asked: number): number;
}

/**
 * The runtimes of a thread.
 * @param dist the folder of the built package
 * @param worker of a worker thread of ours: its guard, and whether telemetry is off, as the thread found that started it. Native code runs under the guard. A run in
 *   wasm does not: a thread may be ended inside it. But to start it reads files, and so do its threads.
 */
export function nodeRuntimes(dist: URL, worker?: { readonly guard: NativeGuard; readonly isTelemetryOff: boolean }): NodeRuntimes {
  const run = <T>(native: () => Promise<T>): Promise<T> => (worker ? worker.guard.run(native) : native());
  return {
    findNative: async () => {
      const binding = await run(() => findNativeBinding(worker?.isTelemetryOff));
      if (!("runtime" in binding)) return binding;
      return { runtime: withProbe(worker ? guarded(binding.runtime, worker.guard) : binding.runtime) };
    },
    loadWasm: (threads) => run(() => loadWasmRuntime(dist, threads)),
    // The runtime ends its other threads only together with the thread that started it: on the caller's they would outlive the decider.
    wasmThreadsOf: (asked) => (worker ? asked : 1),
  };
}

/**
 * Starts onnxruntime-web in this thread, which keeps it until the thread ends. Its other threads are worker threads of this one, and end with it.
 * @param dist the folder of the built package
 * @throws {DecideError} `backend_unavailable` when it cannot start
 */
async function loadWasmRuntime(dist: URL, threads: number): Promise<Runtime> {
  const ort = (await import("onnxruntime-web")) as unknown as OnnxRuntimeWeb;
  // This script must stay a file of its own, because the runtime starts its threads from it.
  ort.env.wasm.wasmPaths = { mjs: new URL("ort-wasm-simd-threaded.mjs", dist).href };
  const worker = Object.getOwnPropertyDescriptor(globalThis, "Worker");
  try {
    const whyNot =
      "The WebAssembly runtime cannot start. Install umpire again if a file is missing; and do not run Node with --jitless, which switches WebAssembly off. The error's cause says what happened.";
    await startOnnxRuntimeWeb(ort, threads, readFile(new URL("umpire/ort-wasm-simd-threaded.wasm", dist)), whyNot);
  } finally {
    // The runtime makes Node's Worker a global. A program's other libraries would take that for a page's.
    if (worker === undefined) Reflect.deleteProperty(globalThis, "Worker");
    else Object.defineProperty(globalThis, "Worker", worker);
  }
  return lettingMessagesIn(ort);
}
