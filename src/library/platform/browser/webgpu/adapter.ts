import { precisionsOf } from "../../../engine/devices.ts";
import type { Precision } from "../../../engine/engine.ts";
import { DecideError } from "../../../../errors.ts";

/** An adapter that onnxruntime's WebGPU build can use, or why there is none. */
type FoundAdapter = { readonly adapter: GPUAdapter } | { readonly missing: string };

export async function findAdapter(): Promise<FoundAdapter> {
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
export async function gpuPrecisions(asked: Precision | undefined): Promise<readonly [Precision, ...Precision[]]> {
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
