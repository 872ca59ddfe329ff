import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MANIFEST } from "../../engine/pack/manifest.ts";
import { baseBytes } from "../../../version.ts";
import type { CataloguedPack, PackagedModel } from "../platform.ts";
import { factsOf, manifestFlaw } from "./catalogue.ts";
import { readRegularFile } from "./read-file.ts";

/** The larger model. Its npm package holds it alone, no code: umpire works without it, and takes it where it is installed. */
export const BASE: PackagedModel = { id: "umpire-3-base", packageName: "umpire-base", sizeBytes: baseBytes };

/** `npm install` alone leaves a damaged package as it is, if its version is the right one. */
const ANEW = `npm uninstall ${BASE.packageName}, then npm install ${BASE.packageName}`;

/**
 * The pack in umpire-base, if that package is installed where umpire's own modules find it: beside umpire, as a rule.
 * @param dist the folder of the built package
 * @returns no pack or one, which has `damage` where the package is there but not whole
 */
export async function basePack(dist: URL): Promise<CataloguedPack[]> {
  const { resolve } = createRequire(new URL("index.node.js", dist));
  const installed = await installedIn(resolve.paths(BASE.packageName) ?? []);
  // Most have no such package, and to let Node fail to resolve it would take a millisecond of each start. Plug'n'Play has no folders to look into.
  if (installed === undefined && process.versions["pnp"] === undefined) return [];
  let manifest: string;
  try {
    // The package says where its pack is. It is not imported, since there is nothing to run.
    manifest = resolve(`${BASE.packageName}/${MANIFEST}`);
  } catch {
    return installed === undefined ? [] : [damaged(new URL(`${BASE.id}/`, installed), `there is no ${MANIFEST} of its model in it`)];
  }
  const folder = new URL("./", pathToFileURL(manifest));
  try {
    const read = (name: string): Promise<Uint8Array<ArrayBuffer>> => readRegularFile(new URL(name, folder), manifestFlaw);
    const [bytes, sealed] = await Promise.all([read(MANIFEST), read(`${MANIFEST}.sha256`)]);
    const seal = createHash("sha256").update(bytes).digest("hex");
    if (new TextDecoder().decode(sealed) !== `${seal}  ${MANIFEST}\n`)
      return [damaged(folder, `${MANIFEST} of its model does not match ${MANIFEST}.sha256`)];
    return [{ ...placeOf(folder), ...factsOf(new TextDecoder().decode(bytes)) }];
  } catch {
    return [damaged(folder, `${MANIFEST} of its model, or its seal, cannot be read`)];
  }
}

/** What to do about a damaged pack, in words after a colon; undefined for a pack that is not in umpire-base. */
export function remedyFor(packUrl: string): string | undefined {
  return new RegExp(`/${BASE.packageName}/[^/]+/$`, "u").test(packUrl) ? `install ${BASE.packageName} anew (${ANEW})` : undefined;
}

function placeOf(folder: URL): Pick<CataloguedPack, "id" | "url" | "isBuiltIn" | "packageName"> {
  return { id: basename(fileURLToPath(folder)), url: folder.href, isBuiltIn: true, packageName: BASE.packageName };
}

/** @param what is wrong with the package, in words that follow a colon */
function damaged(folder: URL, what: string): CataloguedPack {
  const damage = `The package ${BASE.packageName} is damaged or half installed: ${what}. Install it anew: ${ANEW}.`;
  return { ...placeOf(folder), description: "(damaged package)", releaseDate: "", damage };
}

/** The first folder of the package's name in these places, whatever is in it. */
async function installedIn(places: readonly string[]): Promise<URL | undefined> {
  const folders = places.map((place) => join(place, BASE.packageName));
  const found = await Promise.all(folders.map((folder) => stat(folder).catch(() => undefined)));
  const first = folders.find((_, i) => found[i]?.isDirectory());
  return first === undefined ? undefined : pathToFileURL(join(first, "/"));
}
