import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Imports TypeScript where Node 20 runs none: it is bundled into a file that is gone again when it runs.
 * @param {import("esbuild").BuildOptions} input `entryPoints` or `stdin`
 * @param {URL} folder where the file stands for that moment; packages are found from there
 * @returns {Promise<Record<string, any>>} what it exports
 */
export async function importBundled(input, folder) {
  const bundle = new URL(`.bundled-${process.pid}.mjs`, folder);
  await build({ ...input, outfile: fileURLToPath(bundle), bundle: true, format: "esm", platform: "node", packages: "external" });
  return import(bundle.href).finally(() => rm(bundle));
}
