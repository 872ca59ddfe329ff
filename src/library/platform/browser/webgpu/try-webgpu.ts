import type { Batch, Engine } from "../../../engine/engine.ts";
import { textOfCause } from "../../../../errors.ts";
import type { LoadOn } from "../devices/traits.ts";
import { findAdapter } from "./adapter.ts";
import { probeMs } from "./probe.ts";

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
