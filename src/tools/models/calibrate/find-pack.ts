import { access, constants, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { repairPack } from "../replace-pack.ts";
import { Catalogue } from "../../../library/decider/catalogue.ts";
import { isPlainName } from "../../../library/engine/pack/manifest-fields.ts";
import { DecideError } from "../../../errors.ts";
import { addedModelsFolder } from "../../../library/platform/node/catalogue.ts";
import type { Platform } from "../../../library/platform/platform.ts";
import { BadInput } from "../../cli/bad-input.ts";
import { CommandFailed } from "../../cli/command-failed.ts";

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
export async function findPack(env: NodeJS.ProcessEnv, platform: Platform, model: string): Promise<FoundPack> {
  if (platform.placeOf(model) === undefined) await repairAdded(env, model);
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

async function isBuiltIn(platform: Platform, folder: string): Promise<boolean> {
  const builtIn = (await platform.catalogue()).filter((pack) => pack.isBuiltIn).map(({ url }) => fileURLToPath(url));
  return (await Promise.all(builtIn.map((path) => realpath(path).catch(() => path)))).includes(folder);
}

/** The catalogue does not list a pack that an interrupted calibration left without its folder. */
async function repairAdded(env: NodeJS.ProcessEnv, id: string): Promise<void> {
  const models = isPlainName(id) ? await addedModelsFolder(env) : undefined;
  if (models !== undefined) await repairPack(join(fileURLToPath(models), id));
}
