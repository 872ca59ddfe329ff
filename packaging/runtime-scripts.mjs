// What onnxruntime's makers bundled into their scripts for pages. Their source maps tell.
import { readFile } from "node:fs/promises";

/** Folders of their repository, as the maps name them, and the packages that are made of them. */
const PACKAGES = [
  { sources: "../lib/", folder: undefined },
  { sources: "ort-wasm-", folder: undefined },
  { sources: "../../common/lib/", folder: "node_modules/onnxruntime-common" },
];

/**
 * @param {string} script path in node_modules/onnxruntime-web
 * @returns {Promise<string[]>} folders of the packages, besides onnxruntime-web, whose code it holds
 * @throws {Error} if it holds code of anything else
 */
export async function otherPackagesIn(script) {
  const { sources } = JSON.parse(await readFile(`${script}.map`, "utf8"));
  const folders = sources.map((source) => {
    const known = PACKAGES.find((one) => source.startsWith(one.sources));
    if (known === undefined)
      throw new Error(`${script} holds code of ${source}. Say in packaging/runtime-scripts.mjs which package that is.`);
    return known.folder;
  });
  return [...new Set(folders)].filter((folder) => folder !== undefined);
}
