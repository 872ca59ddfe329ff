import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRootPath } from "./package-root.ts";

const MODULES = join(packageRootPath, "node_modules");

/** A project in a folder of its own that finds the built package, and whatever is installed beside it, as its dependencies. */
export class LinkedProject {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<LinkedProject> {
    const project = new LinkedProject(await mkdtemp(join(tmpdir(), "umpire-project-")));
    const modules = join(project.folder, "node_modules");
    await mkdir(modules);
    for (const name of await readdir(MODULES)) {
      if (!name.startsWith(".")) await symlink(join(MODULES, name), join(modules, name));
    }
    await symlink(packageRootPath, join(modules, "umpire"));
    return project;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
