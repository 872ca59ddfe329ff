import { createRequire } from "node:module";

/**
 * Requires a file of onnxruntime-node as it is installed. For build.mjs, which bundles that package's scripts into the worker, but not its binding.
 * @throws {Error} when the package is not installed, as to import it would
 */
export const requireInstalled = createRequire(resolved());

function resolved(): string {
  try {
    return createRequire(import.meta.url).resolve("onnxruntime-node");
  } catch (cause) {
    throw Object.assign(new Error("Cannot find package 'onnxruntime-node'", { cause }), { code: "ERR_MODULE_NOT_FOUND" });
  }
}
