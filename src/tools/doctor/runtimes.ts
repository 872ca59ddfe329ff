import { findNativeBinding } from "../../library/platform/node/native-binding.ts";
import type { Finding } from "./finding.ts";

/** Whether onnxruntime's native binding can be loaded, and if not, why. It is what the device cpu needs. */
export async function checkNativeBinding(): Promise<Finding> {
  const found = await findNativeBinding();
  const name = "onnxruntime";
  if ("runtime" in found) {
    const { env } = await import("onnxruntime-node");
    const version = env.versions.node ?? null;
    return { name, status: "ok", text: `native binding, version ${version ?? "unknown"}`, facts: { found: true, version } };
  }
  const { reason, advice } = found.missing;
  return { name, status: "note", text: `no native binding: ${reason}`, advice, facts: { found: false, version: null } };
}

/** The WebAssembly runtime, which is part of the package. Whether it runs, the check of its device says. */
export async function checkWasmRuntime(): Promise<Finding> {
  const { env } = await import("onnxruntime-web");
  const version = env.versions.web ?? null;
  return { name: "onnxruntime-web", status: "ok", text: `WebAssembly, version ${version ?? "unknown"}`, facts: { version } };
}
