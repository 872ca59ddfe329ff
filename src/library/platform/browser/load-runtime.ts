import { runtimes } from "umpire:assets";
import type { Asset } from "umpire:assets";
import { isOutOfMemory, outOfMemory } from "../../engine/devices.ts";
import type { Runtime } from "../../engine/runtime.ts";
import { DecideError } from "../../../errors.ts";
import type { OnnxRuntimeWeb } from "../onnxruntime-web.ts";
import { startOnnxRuntimeWeb } from "../onnxruntime-web.ts";
import type { BrowserDevice } from "../platform.ts";
import type { BrowserDeviceTraits } from "./devices.ts";
import type { RemoteFiles } from "./remote-files.ts";

/**
 * Loads onnxruntime-web from beside the worker's script and starts it. Each device has the smallest build that can run it.
 * @throws {DecideError} `backend_unavailable` when there is no WebAssembly, not enough memory for it, or a file of the runtime cannot be loaded
 */
export async function loadRuntime(
  device: BrowserDevice,
  runtimeOf: BrowserDeviceTraits["runtimeOf"],
  threads: number,
  files: RemoteFiles,
): Promise<Runtime> {
  checkWebAssembly();
  const { script, binary } = runtimes[device];
  const [ort, bytes] = await Promise.all([importScript(script), fetchBinary(files, binary)]);
  await start(ort, threads, bytes.buffer);
  return runtimeOf(ort);
}

function checkWebAssembly(): void {
  try {
    // The smallest valid module.
    new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  } catch (cause) {
    const message =
      "WebAssembly cannot run here. If the page has a Content-Security-Policy, add 'wasm-unsafe-eval' to its script-src. If WebAssembly is switched off in the browser, switch it on.";
    throw new DecideError("backend_unavailable", message, { cause });
  }
}

async function importScript(script: URL): Promise<OnnxRuntimeWeb> {
  try {
    // The script must stay a file of its own, because it starts threads from its own URL: build.mjs tells bundlers to leave this import alone.
    return (await import(script.href)) as OnnxRuntimeWeb;
  } catch (cause) {
    throw unavailable(script, cause);
  }
}

async function fetchBinary(files: RemoteFiles, binary: Asset): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await files.fetchChecked(binary);
  } catch (cause) {
    throw unavailable(binary.url, cause);
  }
}

async function start(ort: OnnxRuntimeWeb, threads: number, binary: ArrayBuffer): Promise<void> {
  try {
    await startOnnxRuntimeWeb(ort, threads, binary);
  } catch (cause) {
    if (isOutOfMemory(cause)) throw outOfMemory(cause);
    const message =
      "The runtime cannot start in this browser. It needs WebAssembly with SIMD, which all major browsers have had since 2023: update the browser.";
    throw new DecideError("backend_unavailable", message, { cause });
  }
}

function unavailable({ pathname }: URL, cause: unknown): DecideError {
  const message = `The runtime's file ${pathname} cannot be loaded. Serve all files of the package's folder dist/umpire/ beside the script, or name their folder in the option assets. The error's cause says what happened.`;
  return new DecideError("backend_unavailable", message, { cause });
}
