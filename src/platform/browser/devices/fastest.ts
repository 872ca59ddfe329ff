import type { Engine, Precision } from "../../../engine/engine.ts";
import { textOfCause } from "../../../errors.ts";
import type { BrowserDevice } from "../device-names.ts";
import { findAdapter } from "./gpu-adapter.ts";
import { probeMs } from "./gpu-probe.ts";
import { sampleMs } from "./sample-request.ts";
import { withInfo } from "./with-info.ts";

/** Loads the engine on a device. `deviceReason`: why that one, for `info()`. */
export type LoadOn = (device: BrowserDevice, deviceReason: string) => Promise<Engine>;

/**
 * The engine on the device that is faster here. wasm is loaded first: it works everywhere, and stays when anything about the GPU fails.
 * @throws {DecideError} as `loadOn`
 */
export async function loadFastest(precision: Precision | undefined, loadOn: LoadOn): Promise<Engine> {
  if (precision === "fp16") return loadOn("webgpu", "fp16 was asked for, which only WebGPU has");
  const wasm = await loadOn("wasm", "");
  if (precision === "int8") return withInfo(wasm, { deviceReason: "int8 was asked for, which WebGPU does not have" });
  const { faster, deviceReason } = await tryWebGpu(wasm, loadOn);
  if (faster === undefined) return withInfo(wasm, { deviceReason });
  await wasm.close();
  return withInfo(faster, { deviceReason });
}

/** The engine on WebGPU if it is faster than wasm, and in any case the reason for the choice. */
async function tryWebGpu(wasm: Engine, loadOn: LoadOn): Promise<{ readonly faster?: Engine; readonly deviceReason: string }> {
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
