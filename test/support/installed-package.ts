import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageRootPath } from "./package-root.ts";
import { tempDir } from "./temp-dir.ts";

const run = promisify(execFile);

/** An empty project into which the packed tarball is installed, as by a new user. */
export class InstalledPackage {
  readonly tarball: string;
  /** Folder of the project. */
  readonly project: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.tarball = join(folder, "umpire-0.1.0.tgz");
    this.project = join(folder, "project");
  }

  static async make(): Promise<InstalledPackage> {
    const installed = new InstalledPackage(tempDir());
    await installed.#install();
    return installed;
  }

  /** Path of a file or folder in the installed package. */
  file(path: string): string {
    return join(this.project, "node_modules/umpire", path);
  }

  /** Compiles files of the project with `compilerOptions` added to those of all tests: strict, ES2022 and nothing from this repository's settings. */
  async compile(files: readonly string[], compilerOptions: Readonly<Record<string, unknown>>): Promise<void> {
    const usual = { noEmit: true, strict: true, target: "es2022", types: [], skipLibCheck: false };
    await writeFile(join(this.project, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...usual, ...compilerOptions }, files }));
    await run(join(packageRootPath, "node_modules/.bin/tsc"), ["-p", "."], { cwd: this.project }).catch((error: unknown) => {
      throw new Error((error as { readonly stdout?: string }).stdout, { cause: error });
    });
  }

  /** Runs npm in the project, without a network. */
  async npm(...args: readonly string[]): Promise<void> {
    const quiet = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", join(this.#folder, "cache")];
    await run("npm", [...args, ...quiet], { cwd: this.project });
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #install(): Promise<void> {
    // Packs without building, because dist/ is built already and other test files are reading it.
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", this.#folder], { cwd: packageRootPath });
    await mkdir(this.project);
    await writeFile(join(this.project, "package.json"), '{ "name": "newcomer", "version": "1.0.0", "private": true }\n');
    // Takes the dependencies from this checkout, so that the test needs no network.
    const dependencies = ["onnxruntime-node", "commander"].map((name) => join(packageRootPath, "node_modules", name));
    await this.npm("install", this.tarball, ...dependencies);
  }
}
