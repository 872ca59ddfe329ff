import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseManifest } from "../../library/engine/families/families.ts";
import type { Manifest } from "../../library/engine/families/families.ts";
import { MANIFEST } from "../../library/engine/pack/manifest.ts";
import { DecideError } from "../../errors.ts";
import type { CataloguedPack, Platform } from "../../library/platform/platform.ts";
import { AddingFailed } from "./adding-failed.ts";

/** A model that requests may name. */
export interface InstalledModel extends CataloguedPack {
  /** Path of the pack's folder. */
  readonly folder: string;
  /** Absent if it is damaged. */
  readonly manifest?: Manifest;
}

/** All models that requests may name, the built-in ones first. */
export async function installedModels(platform: Platform): Promise<InstalledModel[]> {
  return Promise.all((await platform.catalogue()).map(read));
}

/** @throws {AddingFailed} naming the models that there are */
export async function installedModel(platform: Platform, id: string): Promise<InstalledModel> {
  const packs = await platform.catalogue();
  const pack = packs.find((one) => one.id === id);
  if (pack === undefined) throw new AddingFailed(`There is no such model. There are: ${packs.map((one) => one.id).join(", ")}.`);
  return read(pack);
}

/** Bytes of all files that a manifest lists. */
export function packBytes({ files }: Manifest): number {
  return Object.values(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

async function read(pack: CataloguedPack): Promise<InstalledModel> {
  const listed = { ...pack, folder: fileURLToPath(pack.url) };
  if (pack.damage !== undefined) return listed;
  try {
    return { ...listed, manifest: await parseManifest(await readFile(new URL(MANIFEST, pack.url), "utf8")) };
  } catch (error) {
    return { ...listed, damage: DecideError.isInstance(error) ? error.message : `${MANIFEST} cannot be read.` };
  }
}
