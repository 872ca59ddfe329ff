import { readFile } from "node:fs/promises";
import { isOutOfMemory, outOfMemory } from "../../engine/failures.ts";
import type { Runtime } from "../../engine/runtime.ts";
import { DecideError } from "../../../errors.ts";
import type { OnnxRuntimeWeb } from "../onnxruntime-web/module.ts";
import { startOnnxRuntimeWeb } from "../onnxruntime-web/start.ts";
import { lettingMessagesIn } from "../onnxruntime-web/wasm-runs.ts";

/**
 * Starts onnxruntime-web in this thread, which keeps it until the thread ends. Its other threads are worker threads of this one, and end with it.
 * @param dist the folder of the built package
 * @throws {DecideError} `backend_unavailable` when it cannot start
 */
export async function loadWasmRuntime(dist: URL, threads: number): Promise<Runtime> {
  const ort = (await import("onnxruntime-web")) as unknown as OnnxRuntimeWeb;
  // This script must stay a file of its own, because the runtime starts its threads from it.
  ort.env.wasm.wasmPaths = { mjs: new URL("ort-wasm-simd-threaded.mjs", dist).href };
  const binary = await readBinary(new URL("umpire/ort-wasm-simd-threaded.wasm", dist));
  const worker = Object.getOwnPropertyDescriptor(globalThis, "Worker");
  try {
    await startOnnxRuntimeWeb(ort, threads, binary);
  } catch (cause) {
    if (isOutOfMemory(cause)) throw outOfMemory(cause);
    const message =
      "The WebAssembly runtime cannot start. Install umpire again if a file is missing; and do not run Node with --jitless, which switches WebAssembly off. The error's cause says what happened.";
    throw new DecideError("backend_unavailable", message, { cause });
  } finally {
    // The runtime makes Node's Worker a global. A program's other libraries would take that for a page's.
    if (worker === undefined) Reflect.deleteProperty(globalThis, "Worker");
    else Object.defineProperty(globalThis, "Worker", worker);
  }
  return lettingMessagesIn(ort);
}

async function readBinary(url: URL): Promise<Uint8Array> {
  try {
    return await readFile(url);
  } catch (cause) {
    throw new DecideError("backend_unavailable", "The WebAssembly runtime's file cannot be read. Install umpire again.", { cause });
  }
}
