import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageRootPath } from "./package-root.ts";

const run = promisify(execFile);

/** The packed tarball, and an empty project into which it is installed, as a newcomer has them. */
export class InstalledPackage {
  readonly tarball: string;
  /** The project's folder. */
  readonly project: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.tarball = join(folder, "umpire-0.1.0.tgz");
    this.project = join(folder, "project");
  }

  static async make(): Promise<InstalledPackage> {
    const installed = new InstalledPackage(await mkdtemp(join(tmpdir(), "umpire-package-")));
    await installed.#install();
    return installed;
  }

  /** Where the installed package has a file or folder. */
  file(path: string): string {
    return join(this.project, "node_modules/umpire", path);
  }

  /** Compiles files of the project with `compilerOptions` besides what every test has: strict, ES2022 and none of this repository's settings. */
  async compile(files: readonly string[], compilerOptions: Readonly<Record<string, unknown>>): Promise<void> {
    const usual = { noEmit: true, strict: true, target: "es2022", types: [], skipLibCheck: false };
    await writeFile(join(this.project, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...usual, ...compilerOptions }, files }));
    await run(join(packageRootPath, "node_modules/.bin/tsc"), ["-p", "."], { cwd: this.project }).catch((error: unknown) => {
      throw new Error((error as { readonly stdout?: string }).stdout, { cause: error });
    });
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #install(): Promise<void> {
    // The test command has built dist/ already, and other test files are reading it: the pack must not build it anew.
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", this.#folder], { cwd: packageRootPath });
    await mkdir(this.project);
    await writeFile(join(this.project, "package.json"), '{ "name": "newcomer", "version": "1.0.0", "private": true }\n');
    // The dependencies come from this checkout, so that the test needs no network.
    const dependencies = ["onnxruntime-node", "commander"].map((name) => join(packageRootPath, "node_modules", name));
    const quiet = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", join(this.#folder, "cache")];
    await run("npm", ["install", ...quiet, this.tarball, ...dependencies], { cwd: this.project });
  }
}
