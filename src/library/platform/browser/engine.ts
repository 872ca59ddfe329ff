import { runtimes } from "umpire:assets";
import { DecideError, textOfCause } from "../../../errors.ts";
import { onDemand } from "../../async/on-demand.ts";
import { ASKED_FOR, precisionsOf } from "../../engine/devices.ts";
import type { EngineInfo, Engine, EngineOptions, OnProgress, Precision } from "../../engine/engine.ts";
import { loadEngine } from "../../engine/load.ts";
import type { Runtime } from "../../engine/runtime.ts";
import { lettingMessagesIn, startOnnxRuntimeWeb, type OnnxRuntimeWeb } from "../onnxruntime-web.ts";
import { BROWSER_DEVICES, type BrowserDevice } from "../platform.ts";
import { FileCache } from "./file-cache.ts";
import { packFiles, RemoteFiles } from "./remote-files.ts";
import type * as WebGpu from "./webgpu.ts";
import type { BrowserDeviceTraits, LoadOn } from "./webgpu.ts";

/**
 * The worker's engine in a browser: on the device that was asked for or, for `auto`, on the one that is faster here.
 * @throws {DecideError} `backend_unavailable`, `model_invalid`
 */
export async function loadBrowserEngine(packUrl: string, options: EngineOptions, onProgress: OnProgress | undefined): Promise<Engine> {
  checkSecureContext();
  const files = new RemoteFiles(await FileCache.open(), onProgress);
  const loadOn: LoadOn = async (device, deviceReason) => {
    const traits = await TRAITS[device]();
    const threads = traits.threadsOf(options.threads);
    // Refuses what the device does not have before anything is fetched for it.
    const precisions = await traits.precisionsOf(options.precision);
    const runtime = loadRuntime(device, traits.runtimeOf, threads, files);
    const { cacheBytes = 0 } = options;
    return loadEngine(packFiles(packUrl, files), () => Promise.resolve({ device, deviceReason, precisions, threads, cacheBytes, runtime }));
  };
  const engine =
    options.device === "auto"
      ? await loadFastest(options.precision, loadOn)
      : await loadOn(browserDevice(options.device), options.deviceReason ?? ASKED_FOR);
  await files.keep();
  return withInfo(engine, { download: files.download });
}

function checkSecureContext(): void {
  if (isSecureContext) return;
  const message =
    "The page was served over plain http, where browsers offer neither SHA-256 nor WebGPU. Serve it over https, or from localhost.";
  throw new DecideError("backend_unavailable", message);
}

function browserDevice(asked: string): BrowserDevice {
  const device = BROWSER_DEVICES.find((device) => device === asked);
  if (device !== undefined) return device;
  throw new DecideError("backend_unavailable", `A browser has no such device. Use one of: auto, ${BROWSER_DEVICES.join(", ")}.`);
}

const loadWebGpu = (): Promise<typeof WebGpu> => onDemand("webgpu", import("./webgpu.ts"));

/** They throw `backend_unavailable` when the device's own script cannot be loaded. */
const TRAITS: { readonly [D in BrowserDevice]: () => Promise<BrowserDeviceTraits> | BrowserDeviceTraits } = {
  wasm: () => ({
    // Threads share memory, which browsers grant only to cross-origin isolated pages.
    threadsOf: (asked) => (crossOriginIsolated ? asked : 1),
    precisionsOf: (asked) => precisionsOf("wasm", asked),
    runtimeOf: lettingMessagesIn,
  }),
  webgpu: async () => (await loadWebGpu()).webGpu,
};

/**
 * The engine on the device that is faster here. wasm is loaded first: it works everywhere, and stays when anything about the GPU fails.
 * @throws {DecideError} as `loadOn`
 */
async function loadFastest(precision: Precision | undefined, loadOn: LoadOn): Promise<Engine> {
  if (precision === "fp16") return loadOn("webgpu", "fp16 was asked for, which only WebGPU has");
  const wasm = await loadOn("wasm", "");
  if (precision === "int8") return withInfo(wasm, { deviceReason: "int8 was asked for, which WebGPU does not have" });
  if (!("gpu" in navigator)) return withInfo(wasm, { deviceReason: "WebGPU is not available: this browser does not have it" });
  const { faster, deviceReason } = await loadWebGpu()
    .then(({ tryWebGpu }) => tryWebGpu(wasm, loadOn))
    .catch((error: unknown) => ({ faster: undefined, deviceReason: `WebGPU failed: ${textOfCause(error)}` }));
  if (faster === undefined) return withInfo(wasm, { deviceReason });
  await wasm.close();
  return withInfo(faster, { deviceReason });
}

/**
 * Loads onnxruntime-web from beside the worker's script and starts it. Each device has the smallest build that can run it.
 * @throws {DecideError} `backend_unavailable` when there is no WebAssembly, not enough memory for it, or a file of the runtime cannot be loaded
 */
async function loadRuntime(
  device: BrowserDevice,
  runtimeOf: BrowserDeviceTraits["runtimeOf"],
  threads: number,
  files: RemoteFiles,
): Promise<Runtime> {
  checkWebAssembly();
  const { script, binary } = runtimes[device];
  const [ort, { buffer }] = await Promise.all([
    // The script must stay a file of its own, because it starts threads from its own URL: build.mjs tells bundlers to leave this import alone.
    loadedFrom(script, import(script.href) as Promise<OnnxRuntimeWeb>),
    loadedFrom(binary.url, files.fetchChecked(binary)),
  ]);
  const whyNot =
    "The runtime cannot start in this browser. It needs WebAssembly with SIMD, which all major browsers have had since 2023: update the browser.";
  await startOnnxRuntimeWeb(ort, threads, buffer, whyNot);
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

function loadedFrom<T>({ pathname }: URL, loading: Promise<T>): Promise<T> {
  return loading.catch((cause: unknown) => {
    const message = `The runtime's file ${pathname} cannot be loaded. Serve all files of the package's folder dist/umpire/ beside the script, or name their folder in the option assets. The error's cause says what happened.`;
    throw new DecideError("backend_unavailable", message, { cause });
  });
}

/** The engine itself, from now on with more in its `info`. */
function withInfo(engine: Engine, more: Partial<EngineInfo>): Engine {
  return Object.assign(engine, { info: { ...engine.info, ...more } });
}
