import { precisionsOf } from "../../engine/devices.ts";
import type { Precision, Batch, Engine } from "../../engine/engine.ts";
import { withSessions, type Runtime } from "../../engine/runtime.ts";
import { DecideError, textOfCause } from "../../../errors.ts";
import type { OnnxRuntimeWeb } from "../onnxruntime-web.ts";
import type { BrowserDevice } from "../platform.ts";

// For WebGPU alone: a page's worker loads it where there is a GPU.

export const webGpu: BrowserDeviceTraits = {
  threadsOf: () => 1,
  precisionsOf: gpuPrecisions,
  runtimeOf: endingWithTheGpu,
};

/** The runtime with runs that fail as soon as their GPU device is lost: the runtime itself may never settle them. */
function endingWithTheGpu(runtime: OnnxRuntimeWeb): Runtime {
  return withSessions(runtime, async (session) => {
    const device = await runtime.env.webgpu.device;
    const lost = device.lost.then(({ reason, message }) => {
      throw new Error(`the GPU device was lost: ${reason}, ${message}`);
    });
    lost.catch(() => undefined);
    return { run: (feeds, fetches) => Promise.race([session.run(feeds, fetches), lost]), release: () => session.release() };
  });
}

/** An adapter that onnxruntime's WebGPU build can use, or why there is none. */
type FoundAdapter = { readonly adapter: GPUAdapter } | { readonly missing: string };

async function findAdapter(): Promise<FoundAdapter> {
  // TypeScript declares it as always present.
  const gpu = (navigator as { readonly gpu?: GPU }).gpu;
  if (gpu === undefined) return { missing: "this browser does not have it" };
  // The runtime's build that waits for the GPU by JavaScript Promise Integration is 10 MB smaller than the other one with WebGPU.
  if (!("Suspending" in WebAssembly)) return { missing: "this browser's WebAssembly cannot wait for a GPU (JSPI)" };
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  return adapter === null ? { missing: "this browser finds no adapter" } : { adapter };
}

/**
 * The arithmetic to try on the GPU, in order: what was asked for, else fp16 if the adapter has it, then fp32.
 * @throws {DecideError} `backend_unavailable` when there is no WebGPU, or neither it nor the adapter has what was asked for
 */
async function gpuPrecisions(asked: Precision | undefined): Promise<readonly [Precision, ...Precision[]]> {
  const found = await findAdapter();
  if ("missing" in found) {
    throw new DecideError("backend_unavailable", `WebGPU is not available: ${found.missing}. Use the device auto or wasm.`);
  }
  const fp16 = found.adapter.features.has("shader-f16");
  if (asked === "fp16" && !fp16) {
    const message = "This machine's WebGPU adapter has no fp16 (shader-f16). Use the precision fp32, or leave the option out.";
    throw new DecideError("backend_unavailable", message);
  }
  return precisionsOf("webgpu", asked ?? (fp16 ? undefined : "fp32"));
}

/** About 100 tokens and five options, like a usual request. Each run has a state of its own, which the engine has not kept. */
const sample = (days: string): Batch => ({
  state: `The parcel arrived ${days} days late, and its lid was cracked. `.repeat(8),
  questions: [
    {
      type: "choice",
      instructions: "What is this about?",
      options: ["billing", "a damaged item", "delivery", "praise", "something else"].map((text) => ({ text, sent: [], answer: null })),
    },
  ],
});

/** Milliseconds that the engine takes for the sample request: the better of two runs, because the first one also prepares. */
async function sampleMs(engine: Engine): Promise<number> {
  const times: number[] = [];
  for (const days of ["two", "six"]) {
    const start = performance.now();
    await engine.score(sample(days));
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

/** The engine on WebGPU if it is faster than wasm, and in any case the reason for the choice. */
export async function tryWebGpu(wasm: Engine, loadOn: LoadOn): Promise<{ readonly faster?: Engine; readonly deviceReason: string }> {
  const found = await findAdapter();
  if ("missing" in found) return { deviceReason: `WebGPU is not available: ${found.missing}` };
  let webgpu: Engine | undefined;
  try {
    const wasmMs = await sampleMs(wasm);
    // WebGPU's runtime has 17 MB: a probe without it decides whether it is worth fetching.
    const expectedMs = await probeMs(found.adapter, wasmMs);
    if (expectedMs > wasmMs) {
      return { deviceReason: `WebGPU would take about ${shown(expectedMs)} for a request that takes wasm ${shown(wasmMs)}` };
    }
    webgpu = await loadOn("webgpu", "");
    const webgpuMs = await sampleMs(webgpu);
    const deviceReason = `the same request took ${shown(webgpuMs)} on WebGPU and ${shown(wasmMs)} on wasm`;
    if (webgpuMs < wasmMs) return { faster: webgpu, deviceReason };
    await webgpu.close();
    return { deviceReason };
  } catch (error) {
    // Not awaited: a runtime whose GPU is lost may never answer.
    void webgpu?.close().catch(() => undefined);
    return { deviceReason: `WebGPU failed: ${textOfCause(error)}` };
  }
}

function shown(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

/** [ROWS, INNER] x [INNER, COLUMNS]: the largest product of a layer, for 64 tokens. */
const ROWS = 64;
const INNER = 384;
const COLUMNS = 1536;
/** This many of them make up the arithmetic of a request of 144 tokens and ten options. */
const PRODUCTS_A_REQUEST = 48;
const TIMED_PRODUCTS = 4;
/**
 * A first product that is this many times too slow settles the matter. A GPU's first product takes some milliseconds longer than later ones, a
 * software adapter's takes seconds.
 */
const HOPELESS = 20;
/** GPUBufferUsage.STORAGE, which TypeScript's DOM library does not declare as a value. */
const STORAGE = 0x80;
const PRODUCT = `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> product: array<f32>;
@compute @workgroup_size(16, 16) fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < ${INNER}u; k++) { sum += a[id.y * ${INNER}u + k] * b[k * ${COLUMNS}u + id.x]; }
  product[id.y * ${COLUMNS}u + id.x] = sum;
}`;

/**
 * Milliseconds that the adapter takes for the arithmetic of a small request, measured on plain matrix products that include sending the work and
 * waiting for it. An estimate only: the runtime's products are faster, but it runs many small operators besides.
 * @param wasmMs time of the same request without a GPU
 * @throws {Error} what the GPU or its driver reports
 */
async function probeMs(adapter: GPUAdapter, wasmMs: number): Promise<number> {
  const device = await adapter.requestDevice();
  try {
    device.pushErrorScope("validation");
    const compute = await device.createComputePipelineAsync({
      layout: "auto",
      compute: { module: device.createShaderModule({ code: PRODUCT }), entryPoint: "main" },
    });
    const buffers = [ROWS * INNER, INNER * COLUMNS, ROWS * COLUMNS].map((floats) =>
      device.createBuffer({ size: 4 * floats, usage: STORAGE }),
    );
    const bindGroup = device.createBindGroup({
      layout: compute.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const run = async (products: number): Promise<number> => {
      const start = performance.now();
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(compute);
      pass.setBindGroup(0, bindGroup);
      for (let i = 0; i < products; i++) pass.dispatchWorkgroups(COLUMNS / 16, ROWS / 16);
      pass.end();
      device.queue.submit([encoder.finish()]);
      await device.queue.onSubmittedWorkDone();
      return performance.now() - start;
    };
    const firstMs = PRODUCTS_A_REQUEST * (await run(1));
    const error = await device.popErrorScope();
    if (error !== null) throw new Error(error.message);
    return firstMs > HOPELESS * wasmMs ? firstMs : (PRODUCTS_A_REQUEST / TIMED_PRODUCTS) * (await run(TIMED_PRODUCTS));
  } finally {
    device.destroy();
  }
}

type Precisions = readonly [Precision, ...Precision[]];

/** How a browser's devices differ, apart from the engine's own table. */
export interface BrowserDeviceTraits {
  /** Threads of one run, by the number that was asked for. */
  readonly threadsOf: (asked: number) => number;
  /**
   * Arithmetic to try, in order, by what was asked for.
   * @throws {DecideError} `backend_unavailable` when this machine does not have the device, or the device not the arithmetic
   */
  readonly precisionsOf: (asked: Precision | undefined) => Precisions | Promise<Precisions>;
  /** onnxruntime-web as the engine uses it on this device. */
  readonly runtimeOf: (ort: OnnxRuntimeWeb) => Runtime;
}

/** Loads the engine on a device. `deviceReason`: why that one, for `info()`. */
export type LoadOn = (device: BrowserDevice, deviceReason: string) => Promise<Engine>;
