import type { Batch, Device, Engine, EngineInfo, EngineOptions, Precision } from "../../engine/engine.ts";
import { loadEngine } from "../../engine/load.ts";
import { checkPrecision } from "../../engine/devices.ts";
import { DecideError, textOfCause } from "../../errors.ts";
import type { OnProgress } from "../../decider/progress.ts";
import { FileCache } from "./file-cache.ts";
import { RemoteFiles } from "./remote-files.ts";
import { loadRuntime } from "./runtime.ts";
import { findAdapter, probeMs } from "./webgpu.ts";

/**
 * The worker's engine in a browser, on the device that is asked for or, for `auto`, on the one that is faster here.
 * @throws {DecideError} `backend_unavailable`, `model_invalid`
 */
export async function loadBrowserEngine(packUrl: string, options: EngineOptions, onProgress: OnProgress | undefined): Promise<Engine> {
  if (!isSecureContext) {
    const message =
      "The page was served over plain http, where browsers keep SHA-256 and WebGPU from it. Serve it over https, or from localhost.";
    throw new DecideError("backend_unavailable", message);
  }
  const files = new RemoteFiles(await FileCache.open(), onProgress);
  const loading = new Loading(packUrl, options, files);
  const engine =
    options.device === "auto" ? await loading.onFastest() : await loading.on(options.device, options.deviceReason ?? "asked for");
  await files.keep();
  return withInfo(engine, { download: files.download });
}

class Loading {
  readonly #packUrl: string;
  readonly #options: EngineOptions;
  readonly #files: RemoteFiles;

  constructor(packUrl: string, options: EngineOptions, files: RemoteFiles) {
    this.#packUrl = packUrl;
    this.#options = options;
    this.#files = files;
  }

  /** wasm first, which is there whatever happens; then WebGPU, if a probe says that it is worth its runtime. The faster of the two stays. */
  async onFastest(): Promise<Engine> {
    const { precision } = this.#options;
    if (precision === "fp16") return this.on("webgpu", "fp16 was asked for, which only WebGPU has");
    const wasm = await this.on("wasm", "");
    if (precision === "int8") return withInfo(wasm, { deviceReason: "int8 was asked for, which WebGPU has not" });
    const found = await findAdapter();
    if ("missing" in found) return withInfo(wasm, { deviceReason: `there is no WebGPU to be had: ${found.missing}` });
    try {
      const wasmMs = await timeOf(wasm);
      const expectedMs = await probeMs(found.adapter, wasmMs);
      if (expectedMs > wasmMs) {
        return withInfo(wasm, { deviceReason: `WebGPU would take about ${shown(expectedMs)} for what took wasm ${shown(wasmMs)}` });
      }
      const webgpu = await this.on("webgpu", "");
      const webgpuMs = await timeOf(webgpu);
      const [faster, slower] = webgpuMs < wasmMs ? [webgpu, wasm] : [wasm, webgpu];
      await slower.close();
      return withInfo(faster, { deviceReason: `the same request took ${shown(webgpuMs)} on WebGPU and ${shown(wasmMs)} on wasm` });
    } catch (error) {
      // Whatever a GPU does, wasm is there.
      return withInfo(wasm, { deviceReason: `WebGPU failed: ${textOfCause(error)}` });
    }
  }

  async on(device: Device, deviceReason: string): Promise<Engine> {
    if (device === "cpu")
      throw new DecideError("backend_unavailable", "There is no device cpu in a browser. There are: auto, webgpu, wasm.");
    const threads = device === "wasm" && crossOriginIsolated ? this.#options.threads : 1;
    const asked = this.#options.precision;
    const precision = device === "wasm" ? (asked ?? "int8") : await gpuPrecision(asked);
    // Before anything is fetched for it.
    checkPrecision(device, precision);
    return loadEngine(this.#files.pack(this.#packUrl), loadRuntime(device, threads, this.#files), {
      device,
      deviceReason,
      precision,
      threads,
    });
  }
}

/** @throws {DecideError} `backend_unavailable` when there is no WebGPU, or none with the arithmetic that is asked for. */
async function gpuPrecision(asked: Precision | undefined): Promise<Precision> {
  const found = await findAdapter();
  if ("missing" in found) {
    throw new DecideError("backend_unavailable", `There is no WebGPU to be had: ${found.missing}. Use the device auto or wasm.`);
  }
  const fp16 = found.adapter.features.has("shader-f16");
  if (asked === "fp16" && !fp16) {
    throw new DecideError(
      "backend_unavailable",
      "This machine's WebGPU adapter has no fp16 (shader-f16). Use the precision fp32, or leave it open.",
    );
  }
  return asked ?? (fp16 ? "fp16" : "fp32");
}

/** About 100 tokens and five options, as requests are. */
const SAMPLE: Batch = {
  state:
    "I ordered the blue kettle on the third of May and paid with my card. Two days later the parcel arrived, but the lid was cracked and the cable was missing. I wrote to your support the same evening and sent three photos. Since then I have had two automatic replies and no answer from a person. On Monday I called and waited for forty minutes before the line went dead. I would like a new kettle, or my money back, before the end of this week.",
  questions: [
    {
      id: "",
      instructions: "What is this about?",
      options: ["billing", "a damaged item", "delivery", "praise", "something else"].map((text) => ({
        key: text,
        text,
        sent: [],
        answer: null,
      })),
    },
  ],
};

/** Milliseconds of a small request: the better of two, since the first one prepares. */
async function timeOf(engine: Engine): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 2; i++) {
    const start = performance.now();
    await engine.score(SAMPLE);
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

function withInfo(engine: Engine, more: Partial<EngineInfo>): Engine {
  return { info: { ...engine.info, ...more }, score: (batch, signal) => engine.score(batch, signal), close: () => engine.close() };
}

function shown(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}
