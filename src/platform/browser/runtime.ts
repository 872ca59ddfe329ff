import { runtimes } from "umpire:assets";
import type { Asset } from "umpire:assets";
import type { Device } from "../../engine/engine.ts";
import type { Runtime } from "../../engine/runtime.ts";
import { isOutOfMemory, outOfMemory } from "../../engine/failures.ts";
import { DecideError } from "../../errors.ts";
import type { RemoteFiles } from "./remote-files.ts";

/** What we use of onnxruntime-web's module. */
interface OnnxRuntimeWeb extends Runtime {
  readonly env: {
    readonly wasm: { numThreads?: number; wasmBinary?: ArrayBuffer | undefined };
    readonly webgpu: { adapter?: GPUAdapter; readonly device: Promise<GPUDevice> };
  };
}

export type BrowserDevice = Exclude<Device, "cpu">;

/** A graph that gives back what it is given: the least that makes the runtime start. An ONNX model of one Identity, in its binary form. */
const LEAST_GRAPH = Uint8Array.from(
  atob("CAk6NgoQCgFhEgFiIghJZGVudGl0eRIAWg8KAWESCgoICAESBAoCCAFiDwoBYhIKCggIARIECgIIAUIECgAQEg=="),
  (char) => char.charCodeAt(0),
);

/**
 * Loads onnxruntime-web from beside the worker's script, and starts it: for wasm the smallest build, for WebGPU the smallest that has it.
 * @throws {DecideError} `backend_unavailable` when there is no WebAssembly, no memory for it, or the runtime's files cannot be had.
 */
export async function loadRuntime(device: BrowserDevice, threads: number, files: RemoteFiles): Promise<Runtime> {
  checkWebAssembly();
  const { script, binary } = runtimes[device];
  const [ort, bytes] = await Promise.all([importScript(script), fetchBinary(files, binary)]);
  ort.env.wasm.numThreads = threads;
  ort.env.wasm.wasmBinary = bytes.buffer;
  await start(ort);
  // Compiled once, it is not read again.
  ort.env.wasm.wasmBinary = undefined;
  return device === "webgpu" ? watchingDevice(ort) : listening(ort);
}

/** Compiles the runtime, while the model may still be on its way. */
async function start({ InferenceSession }: OnnxRuntimeWeb): Promise<void> {
  try {
    const session = await InferenceSession.create(LEAST_GRAPH, { executionProviders: ["wasm"] });
    await session.release();
  } catch (cause) {
    if (isOutOfMemory(cause)) throw outOfMemory(cause);
    throw new DecideError(
      "backend_unavailable",
      "The runtime cannot start in this browser: it needs WebAssembly with SIMD, which all have since 2023.",
      { cause },
    );
  }
}

function checkWebAssembly(): void {
  try {
    // The smallest module there is.
    new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  } catch (cause) {
    const message = `WebAssembly cannot run here. Where the page has a Content-Security-Policy, add 'wasm-unsafe-eval' to its script-src; where the browser has WebAssembly switched off, switch it on.`;
    throw new DecideError("backend_unavailable", message, { cause });
  }
}

async function importScript(script: URL): Promise<OnnxRuntimeWeb> {
  try {
    // The file is no part of any bundle, since it starts threads from its own URL: build.mjs says so to bundlers.
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

function unavailable({ pathname }: URL, cause: unknown): DecideError {
  const message = `The runtime's file ${pathname} cannot be loaded. Serve all files of the package's folder dist/umpire/ beside the script, or name their folder in the option assets. The error's cause says what happened.`;
  return new DecideError("backend_unavailable", message, { cause });
}

/**
 * A run in wasm holds the worker's thread to its end, and what awaits it goes on before any message is heard. So each run ends in a task of its own:
 * an abort that has come meanwhile is heard before the next one.
 */
function listening({ Tensor, InferenceSession }: OnnxRuntimeWeb): Runtime {
  return {
    Tensor,
    InferenceSession: {
      create: async (graph, options) => {
        const session = await InferenceSession.create(graph, options);
        return {
          run: async (feeds, fetches) => {
            const results = await session.run(feeds, fetches);
            await nextTask();
            return results;
          },
          release: () => session.release(),
        };
      },
    },
  };
}

/** By a message to itself, since timers are kept waiting for 4 ms. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** A run whose GPU device is lost fails at once, whatever becomes of the run. */
function watchingDevice({ Tensor, InferenceSession, env }: OnnxRuntimeWeb): Runtime {
  return {
    Tensor,
    InferenceSession: {
      create: async (graph, options) => {
        const session = await InferenceSession.create(graph, options);
        const device = await env.webgpu.device;
        const lost = device.lost.then(({ reason, message }) => {
          throw new Error(`the GPU device was lost: ${reason}, ${message}`);
        });
        lost.catch(() => undefined);
        return { run: (feeds, fetches) => Promise.race([session.run(feeds, fetches), lost]), release: () => session.release() };
      },
    },
  };
}
