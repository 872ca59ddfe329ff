import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { packageRootPath } from "./package-root.ts";

const run = promisify(execFile);

/** Paths of the files that `npm pack` puts into the tarball. */
export async function packedFiles(): Promise<ReadonlySet<string>> {
  // dist/ is built already, and other test files read it: packing must not build it again.
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: packageRootPath,
    maxBuffer: 16 * 2 ** 20,
  });
  const [packed] = JSON.parse(stdout) as readonly { readonly files: readonly { readonly path: string }[] }[];
  return new Set(packed?.files.map(({ path }) => path));
}
