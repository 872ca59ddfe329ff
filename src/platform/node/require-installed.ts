import { createRequire } from "node:module";

/**
 * Requires a file of onnxruntime-node as it is installed. For build.mjs, which bundles that package's scripts into the worker, but not its binding.
 * @throws {Error} with the code `ERR_MODULE_NOT_FOUND` when the package is not installed
 */
export const requireInstalled = createRequire(import.meta.resolve("onnxruntime-node"));
