import { execFile } from "node:child_process";
import { cp, copyFile, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { packageRootPath } from "./package-root.ts";
import { relativePack } from "./relative-pack.ts";
import { tempDir } from "./temp-dir.ts";

const run = promisify(execFile);

/** Where the package umpire-base is made. */
export const BASE_SOURCE = join(packageRootPath, "packaging/umpire-base");

/** A project with the built package, and umpire-base beside it, whose model is a tiny one of the same family. */
export class ProjectWithBase {
  /** URL of the built package's folder. */
  readonly dist: URL;
  /** Path of umpire-base. */
  readonly base: string;

  private constructor(modules: string) {
    this.dist = pathToFileURL(join(modules, "umpire/dist/"));
    this.base = join(modules, "umpire-base");
  }

  static async make(): Promise<ProjectWithBase> {
    const modules = join(tempDir(), "node_modules");
    const project = new ProjectWithBase(modules);
    const dist = fileURLToPath(project.dist);
    await mkdir(dist, { recursive: true });
    await copyFile(join(packageRootPath, "package.json"), join(modules, "umpire/package.json"));
    for (const name of await readdir(join(packageRootPath, "dist"))) await symlink(join(packageRootPath, "dist", name), join(dist, name));
    await writeBase(project.base);
    return project;
  }

  /** Path of a file of the model. */
  model(name: string): string {
    return join(this.base, "umpire-3-base", name);
  }
}

/**
 * Packs umpire-base as it is released, but with a tiny model.
 * @returns the tarball's path
 */
export async function packBase(): Promise<string> {
  const repository = tempDir();
  const source = join(repository, "packaging/umpire-base");
  await cp(BASE_SOURCE, source, { recursive: true });
  await copyFile(join(packageRootPath, "LICENSE"), join(repository, "LICENSE"));
  await writeModel(join(repository, "models"));
  await run("npm", ["pack", "--pack-destination", repository], { cwd: source });
  const [name = ""] = (await readdir(repository)).filter((file) => file.endsWith(".tgz"));
  // What was put there to be packed is gone again.
  if ((await readdir(source)).some((file) => file === "LICENSE" || file === "umpire-3-base")) throw new Error("npm pack left files behind");
  return join(repository, name);
}

/** Writes umpire-base as it is installed, with a tiny model. */
export async function writeBase(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of ["package.json", "index.js", "index.d.ts"]) await copyFile(join(BASE_SOURCE, name), join(folder, name));
  await writeModel(folder);
}

async function writeModel(folder: string): Promise<void> {
  const pack = fileURLToPath(await relativePack({ id: "umpire-3-base", releaseDate: "2027-01-01", description: "A larger one." }));
  await cp(pack, join(folder, "umpire-3-base"), { recursive: true });
}
