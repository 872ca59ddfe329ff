import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseManifest, type Manifest } from "../../library/engine/families/families.ts";
import { MANIFEST } from "../../library/engine/pack/manifest.ts";
import { DecideError } from "../../errors.ts";
import type { CataloguedPack, Platform } from "../../library/platform/platform.ts";
import { ToolError } from "../tool-error.ts";
import { removePack, throwUnwritable } from "./replace-pack.ts";

export interface InstalledModel extends CataloguedPack {
  readonly folder: string;
  readonly manifest?: Manifest;
}

/** All models that requests may name, the built-in ones first. */
export async function installedModels(platform: Platform): Promise<InstalledModel[]> {
  return Promise.all((await platform.catalogue()).map(read));
}

/** @throws {ToolError} naming the models that there are */
export async function installedModel(platform: Platform, id: string): Promise<InstalledModel> {
  const packs = await platform.catalogue();
  const pack = packs.find((one) => one.id === id);
  if (pack === undefined) throw new ToolError(`There is no such model. There are: ${packs.map((one) => one.id).join(", ")}.`);
  return read(pack);
}

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

/** Removes a model that was added: whole, or not at all. @throws {ToolError} */
export async function removeModel({ id, folder, isBuiltIn, packageName }: InstalledModel): Promise<void> {
  if (packageName !== undefined)
    throw new ToolError(`${id} is the package ${packageName}. Remove that where you installed it: npm uninstall ${packageName}.`);
  if (isBuiltIn) throw new ToolError(`${id} came with umpire and cannot be removed.`);
  await removePack(folder).catch(throwUnwritable);
}

/** Lower case, because some file systems take two cases for one. It may not end with a dot, which Windows drops. */
const ID = /^[a-z\d](?:[a-z\d._-]{0,62}[a-z\d])?$/u;
/** No folder of Windows can have such a name, with whatever ending. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/u;

/**
 * The id that a model gets.
 * @param asked as a person gave it; undefined: made of the source's name
 * @param sourceName a folder's name or `org/name`
 * @param taken ids of other models that were added
 * @param reserved names of umpire's own: its models' ids, and what stands for one
 * @throws {ToolError} for what is no id, or is taken
 */
export function modelId(asked: string | undefined, sourceName: string, taken: readonly string[], reserved: readonly string[] = []): string {
  const id = asked ?? idFrom(sourceName);
  if (!ID.test(id) || DEVICE_NAME.test(id)) {
    throw new ToolError(
      asked === undefined
        ? "No id can be made of the model's name. Give one with --as, such as --as nli-base."
        : "The id given with --as must have 1 to 64 lower-case letters, digits, dots, dashes and underscores, and start and end with a letter or digit.",
    );
  }
  if (reserved.includes(id))
    throw new ToolError(`${id} is a name of umpire's own. Give the model another id with --as, such as --as nli-base.`);
  if (taken.includes(id)) throw idTaken(id);
  return id;
}

export function idTaken(id: string): ToolError {
  return new ToolError(
    `There is a model ${id} already. Give this one another id with --as, or remove that one: umpire models remove ${id}.`,
  );
}

function idFrom(sourceName: string): string {
  const name = sourceName.split("/").at(-1) ?? "";
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z\d._-]+/gu, "-")
    .replaceAll(/[._-]*-[._-]*/gu, "-")
    .replaceAll(/^[^a-z\d]+/gu, "")
    .slice(0, 64)
    .replaceAll(/[^a-z\d]+$/gu, "");
}
