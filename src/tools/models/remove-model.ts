import { AddingFailed, ifUnwritable } from "./adding-failed.ts";
import type { InstalledModel } from "./installed.ts";
import { removePack } from "./replace-pack.ts";

/** Removes a model that was added: whole, or not at all. @throws {AddingFailed} */
export async function removeModel({ id, folder, isBuiltIn, packageName }: InstalledModel): Promise<void> {
  if (packageName !== undefined)
    throw new AddingFailed(`${id} is the package ${packageName}. Remove that where you installed it: npm uninstall ${packageName}.`);
  if (isBuiltIn) throw new AddingFailed(`${id} came with umpire and cannot be removed.`);
  try {
    await removePack(folder);
  } catch (error) {
    throw ifUnwritable(error);
  }
}
