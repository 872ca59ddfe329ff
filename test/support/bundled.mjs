import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Imports TypeScript, which Node 20 cannot run. It is bundled into a temporary file, which is deleted after the import.
 * @param {import("esbuild").BuildOptions} input `entryPoints` or `stdin`
 * @param {URL} folder for the temporary file; imported packages are resolved from there
 * @returns {Promise<Record<string, any>>} the module's exports
 */
export async function importBundled(input, folder) {
  const bundle = new URL(`.bundled-${process.pid}.mjs`, folder);
  await build({ ...input, outfile: fileURLToPath(bundle), bundle: true, format: "esm", platform: "node", packages: "external" });
  return import(bundle.href).finally(() => rm(bundle));
}
