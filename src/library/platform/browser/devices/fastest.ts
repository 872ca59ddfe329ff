import type { Engine, Precision } from "../../../engine/engine.ts";
import { textOfCause } from "../../../../errors.ts";
import { loadWebGpu } from "./devices.ts";
import type { LoadOn } from "./traits.ts";
import { withInfo } from "./with-info.ts";

/**
 * The engine on the device that is faster here. wasm is loaded first: it works everywhere, and stays when anything about the GPU fails.
 * @throws {DecideError} as `loadOn`
 */
export async function loadFastest(precision: Precision | undefined, loadOn: LoadOn): Promise<Engine> {
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
