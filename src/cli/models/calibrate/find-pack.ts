import { access, constants, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { repairPack } from "../../../adding/replace-pack.ts";
import { Catalogue } from "../../../decider/catalogue.ts";
import { MANIFEST } from "../../../engine/pack/manifest.ts";
import { DecideError } from "../../../errors.ts";
import type { Platform } from "../../../platform/platform.ts";
import { isPlainObject } from "../../../validation/shape.ts";
import { BadInput } from "../../bad-input.ts";
import { CommandFailed } from "../../command-failed.ts";

/** A pack that may be calibrated. */
export interface FoundPack {
  /** Its path, without links. */
  readonly folder: string;
  readonly url: string;
}

/**
 * Finds the pack that a calibration is written to, and checks that it can be written.
 * @param model id or folder
 * @throws {BadInput} for a model that came with umpire @throws {CommandFailed} if its folder cannot be replaced @throws {DecideError} `model_not_found`
 */
export async function findPack(platform: Platform, model: string): Promise<FoundPack> {
  // The catalogue resolves a decider's own model, which may be a place.
  const catalogue = new Catalogue(platform, model, () => Promise.reject(new DecideError("internal", "No model is loaded to find a pack.")));
  const named = fileURLToPath(await catalogue.packUrlOf(undefined)).replace(/[/\\]$/u, "");
  await repairPack(named);
  const folder = await realpath(named).catch(() => named);
  if (await isBuiltIn(platform, folder))
    throw new BadInput(
      "The models that come with umpire are calibrated already, and stay as they were released. To fit one to your own questions, teach it: umpire teach.",
    );
  await access(dirname(folder), constants.W_OK).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CommandFailed(`${dirname(folder)} cannot be written, where the calibrated model would be: the system reports ${code}.`, { cause });
  });
  return { folder, url: `${pathToFileURL(folder).href}/` };
}

/** Those of the catalogue that name no source: an added model says where it came from. */
async function isBuiltIn(platform: Platform, folder: string): Promise<boolean> {
  const listed = await Promise.all(
    (await platform.catalogue()).map(({ url }) => {
      const path = fileURLToPath(url);
      return realpath(path).catch(() => path);
    }),
  );
  if (!listed.includes(folder)) return false;
  // What is wrong with a manifest, loading it will say.
  const manifest: unknown = await readFile(join(folder, MANIFEST), "utf8")
    .then(JSON.parse)
    .catch(() => undefined);
  return !isPlainObject(manifest) || manifest["source"] === undefined;
}
