import { randomUUID } from "node:crypto";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import { packageRootPath } from "./package-root.ts";

const PACKAGE = "typesafe-sdk[zstd]==0.7.5";
const CACHE = join(packageRootPath, "node_modules/.cache/umpire-tests");

/** The official client for Python: the folder to add to `PYTHONPATH`, or the reason why it is not available. It is installed once per checkout. */
export async function pythonSdk(): Promise<{ readonly folder: string; readonly missing?: string }> {
  const folder = join(CACHE, PACKAGE);
  if (await exists(folder)) return { folder };
  // Beside the folder, so that it can be moved there.
  const draft = join(CACHE, `draft-${randomUUID()}`);
  await mkdir(draft, { recursive: true });
  const args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", draft, PACKAGE];
  const failed = await runCommand("python3", args).then(
    ({ code, stderr }) => (code === 0 ? undefined : stderr.trim().split("\n").at(-1)),
    (error: unknown) => String(error),
  );
  // In one step, so that no other test finds half of it. If another one was first, its folder stays.
  if (failed === undefined) await rename(draft, folder).catch(() => undefined);
  await rm(draft, { recursive: true, force: true });
  return failed === undefined ? { folder } : { folder, missing: `${PACKAGE} cannot be installed: ${failed}` };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
