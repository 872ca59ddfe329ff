import { cp, mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { packageRootPath } from "./package-root.ts";
import { tempDir } from "./temp-dir.ts";

/** The package's folder of models. */
export const MODELS = "dist/umpire/models";
const MODULES = join(packageRootPath, "node_modules");
const BINDING = `onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`;

/** A copy of the installed package in its own folder, for tests that break it. Its models are a link; its runtime lacks the native files. */
export class PackageCopy {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<PackageCopy> {
    const copy = new PackageCopy(tempDir());
    const models = join(packageRootPath, MODELS);
    await cp(join(packageRootPath, "dist"), join(copy.folder, "dist"), { recursive: true, filter: (path) => path !== models });
    await cp(join(packageRootPath, "package.json"), join(copy.folder, "package.json"));
    await copy.linkModels();
    const runtime = join(copy.folder, "node_modules/onnxruntime-node");
    await mkdir(runtime, { recursive: true });
    for (const name of await readdir(join(MODULES, "onnxruntime-node"))) {
      if (name !== "bin" && name !== "node_modules")
        await cp(join(MODULES, "onnxruntime-node", name), join(runtime, name), { recursive: true });
    }
    await symlink(join(MODULES, "onnxruntime-common"), join(copy.folder, "node_modules/onnxruntime-common"));
    await mkdir(join(copy.folder, "node_modules", BINDING), { recursive: true });
    return copy;
  }

  async linkModels(): Promise<void> {
    await symlink(join(packageRootPath, MODELS), join(this.folder, MODELS));
  }

  /** Names of the runtime's native files for this platform. */
  static async nativeFiles(): Promise<string[]> {
    return readdir(join(MODULES, BINDING));
  }

  /** Path of one of the runtime's native files in this copy. */
  nativeFile(name: string): string {
    return join(this.folder, "node_modules", BINDING, name);
  }

  async linkNativeFile(name: string): Promise<void> {
    await symlink(join(MODULES, BINDING, name), this.nativeFile(name));
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}
