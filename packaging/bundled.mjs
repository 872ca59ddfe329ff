// Which npm packages dist/ holds code of: those that esbuild bundled, by its metafiles, and those whose files are copied.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { licenceOf } from "./licences.mjs";

/** The folder of the package that a bundled file belongs to: the innermost one. */
const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * Lists the packages with code in dist/, each with its licence's text, in the order of their names.
 *
 * @param {readonly import("esbuild").Metafile[]} metafiles of all bundles
 * @param {readonly import("./bundled.mjs").Copy[]} [copies] files copied from packages, besides
 * @param {string} [root] the folder that all paths start from
 * @returns {Promise<import("./bundled.mjs").BundledPackage[]>}
 * @throws {Error} if a package has no version, no licence by SPDX, or no licence text
 */
export async function bundledPackages(metafiles, copies = [], root = ".") {
  const found = new Map();
  const packageAt = (folder) => {
    if (!found.has(folder)) found.set(folder, { folder, files: new Set(), uses: new Set(), usedByUs: false });
    return found.get(folder);
  };
  for (const { inputs, outputs } of metafiles) {
    const shipped = Object.entries(outputs).flatMap(([output, { inputs: parts }]) =>
      Object.entries(parts).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [{ input, output }] : [])),
    );
    const folderOf = (path) => PACKAGE_FOLDER.exec(path)?.[0];
    const shippedFolders = new Set(shipped.map(({ input }) => folderOf(input)));
    for (const { input, output } of shipped) {
      const folder = folderOf(input);
      if (folder !== undefined) packageAt(folder).files.add(output);
      for (const { path } of inputs[input].imports) {
        // The file itself may have nothing in the bundle: an index that names what other files of its package hold.
        const used = folderOf(path);
        if (used === undefined || used === folder || !shippedFolders.has(used)) continue;
        if (folder === undefined) packageAt(used).usedByUs = true;
        else packageAt(folder).uses.add(used);
      }
    }
  }
  for (const { from, to, alsoFrom = [] } of copies) {
    const folder = PACKAGE_FOLDER.exec(from)[0];
    packageAt(folder).usedByUs = true;
    for (const other of [folder, ...alsoFrom]) packageAt(other).files.add(to);
    for (const other of alsoFrom) packageAt(folder).uses.add(other);
  }
  const packages = await Promise.all(
    [...found.values()].map(async (one) => {
      const { name, version, license } = JSON.parse(await readFile(join(root, one.folder, "package.json"), "utf8"));
      if (!name || !version) throw new Error(`${one.folder} is bundled, but its package.json has no name or no version.`);
      return { ...one, name, version, licence: await licenceOf({ folder: join(root, one.folder), name, version, license }) };
    }),
  );
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}
