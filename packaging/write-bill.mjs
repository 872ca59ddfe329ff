// Writes what dist/ holds of others: dist/sbom.cdx.json for programs, dist/THIRD_PARTY_LICENSES.txt for people.
import { readFile, writeFile } from "node:fs/promises";
import { bundledPackages } from "./bundled.mjs";
import { hashed } from "./hashed.mjs";
import { packPart } from "./packs.mjs";
import { toSbom } from "./sbom.mjs";
import { toThirdPartyLicences } from "./third-party-licences.mjs";

/**
 * @param {object} of
 * @param {readonly import("esbuild").Metafile[]} of.metafiles of all bundles
 * @param {readonly import("./bundled.mjs").Copy[]} of.copies files copied from packages
 * @param {readonly string[]} of.packIds
 */
export async function writeBill({ metafiles, copies, packIds }) {
  const [manifest, lock] = await Promise.all(
    ["package.json", "package-lock.json"].map(async (path) => JSON.parse(await readFile(path, "utf8"))),
  );
  const ownLicence = (await readFile("LICENSE", "utf8")).trim();
  const bundled = await bundledPackages(metafiles, copies);
  const packs = await Promise.all(packIds.map(packPart));
  const copied = copies.map(async ({ from, to }) => ({
    folder: bundled.find(({ folder }) => from.startsWith(`${folder}/`)).folder,
    ...(await hashed(to)),
  }));
  const own = { "umpire-base": JSON.parse(await readFile("packaging/umpire-base/package.json", "utf8")) };
  const sbom = toSbom({ manifest, lock, ownLicence, bundled, packs, copies: await Promise.all(copied), own });
  await writeFile("dist/sbom.cdx.json", `${JSON.stringify(sbom)}\n`);
  await writeFile("dist/THIRD_PARTY_LICENSES.txt", toThirdPartyLicences({ bundled, packs, ownLicence }));
}
