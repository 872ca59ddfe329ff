import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { sealPack } from "../../src/tools/models/replace-pack.ts";
import type { CataloguedPack } from "../../src/library/platform/platform.ts";
import type { Golden } from "./golden.ts";
import { tempDir } from "./temp-dir.ts";

const FIXTURE = new URL("../fixtures/models/relative/", import.meta.url);
const PACKED = ".gz";

/** A manifest as untyped JSON, so that tests can change it. */
type LooseManifest = Record<string, unknown>;

/** Its golden vectors, written by test/fixtures/make-relative. */
export const relativeGolden = JSON.parse(await readFile(new URL("expected.json", FIXTURE), "utf8")) as Golden;

/**
 * Makes a sealed pack of a tiny model with relative positions and random weights, in a folder of its own.
 * @param change what is different in the manifest, which is sealed as it then is
 * @returns the folder's URL, with a slash at its end
 */
export async function relativePack(change: LooseManifest = {}): Promise<string> {
  const folder = tempDir();
  for (const name of await readdir(FIXTURE)) {
    if (!name.endsWith(PACKED)) continue;
    await writeFile(join(folder, name.slice(0, -PACKED.length)), gunzipSync(await readFile(new URL(name, FIXTURE))));
  }
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as { calibration: object } & LooseManifest;
  await sealPack(folder, { ...manifest, calibration: { ...manifest.calibration, uncalibrated: true }, ...change });
  return `${pathToFileURL(folder).href}/`;
}

/** The same, with the name of the base model, as if its package were installed. What finds, copies and names it is as for the real one, which is large. */
export async function standInForBase(): Promise<CataloguedPack> {
  const id = "umpire-3-base";
  const url = await relativePack({ id });
  return { id, url, description: "A stand-in.", releaseDate: "2026-11-26", isBuiltIn: true, packageName: "umpire-base" };
}
