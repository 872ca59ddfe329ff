import { randomUUID } from "node:crypto";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import { packageRootPath } from "./package-root.ts";

const VENDORS = "typesafe-sdk[zstd]==0.7.5";
const CACHE = join(packageRootPath, "node_modules/.cache/umpire-tests");

/**
 * An official client for Python: the folder to add to `PYTHONPATH`, or the reason why it is not available. It is installed once per checkout.
 * @param requirement its package and version, as pip takes them. Default: the first vendor's
 */
export async function pythonSdk(requirement = VENDORS): Promise<{ readonly folder: string; readonly missing?: string }> {
  const folder = join(CACHE, requirement);
  if (await exists(folder)) return { folder };
  // Beside the folder, so that it can be moved there.
  const draft = join(CACHE, `draft-${randomUUID()}`);
  await mkdir(draft, { recursive: true });
  const args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", draft, requirement];
  const failed = await runCommand("python3", args).then(
    ({ code, stderr }) => (code === 0 ? undefined : stderr.trim().split("\n").at(-1)),
    (error: unknown) => String(error),
  );
  // In one step, so that no other test finds half of it. If another one was first, its folder stays.
  if (failed === undefined) await rename(draft, folder).catch(() => undefined);
  await rm(draft, { recursive: true, force: true });
  return failed === undefined ? { folder } : { folder, missing: `${requirement} cannot be installed: ${failed}` };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
