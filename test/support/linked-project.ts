import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { packageRootPath } from "./package-root.ts";
import { tempDir } from "./temp-dir.ts";

const MODULES = join(packageRootPath, "node_modules");

/**
 * Makes a project in a folder of its own that finds the built package, and whatever is installed beside it, as its dependencies.
 * @returns the folder's path
 */
export async function linkedProject(): Promise<string> {
  const folder = tempDir();
  const modules = join(folder, "node_modules");
  await mkdir(modules);
  for (const name of await readdir(MODULES)) {
    if (!name.startsWith(".")) await symlink(join(MODULES, name), join(modules, name));
  }
  await symlink(packageRootPath, join(modules, "umpire"));
  return folder;
}
