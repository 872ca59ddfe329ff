import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "../../files/replace.ts";
import { isRunning } from "../../files/lock.ts";
import { whyUnwritable } from "../../files/system-errors.ts";
import { ToolError } from "../tool-error.ts";

const LEFT_OVER = /^\.adding-(\d{1,10})-[\da-f]{12}$/u;
/** Nobody works that long. In containers every process may have the same id, and seem to be alive. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** There is something at the target already. */
export class TargetTaken extends Error {}

/** A folder beside its target in which something is made, and which then becomes the target: there is a whole one or none, even after a power cut. */
export class StagingDir {
  readonly path: string;
  readonly #target: string;

  private constructor(path: string, target: string) {
    this.path = path;
    this.#target = target;
  }

  /** Also removes what processes that were killed left there. */
  static async make(target: string): Promise<StagingDir> {
    const parent = dirname(target);
    await mkdir(parent, { recursive: true });
    await removeLeftOvers(parent);
    const path = join(parent, ownName());
    await mkdir(path);
    return new StagingDir(path, target);
  }

  /** Of several that finish at once one wins. @throws {TargetTaken} */
  async finish(): Promise<void> {
    for (const name of await readdir(this.path)) await syncFolder(join(this.path, name));
    await syncFolder(this.path);
    try {
      await rename(this.path, this.#target);
    } catch (cause) {
      // Windows says EPERM of a folder that is there.
      const { code = "" } = cause as NodeJS.ErrnoException;
      if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(code) || (code === "EPERM" && process.platform === "win32"))
        throw new TargetTaken("the target is there already", { cause });
      throw cause;
    }
    await syncFolder(dirname(this.#target));
  }

  /** Does nothing once it is finished. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes a folder: at once under its name, and then what was in it. Whatever is left by a process that is killed goes with the next `StagingDir.make`. */
export async function discard(folder: string): Promise<void> {
  const path = join(dirname(folder), ownName());
  await rename(folder.replace(/[/\\]+$/u, ""), path);
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

function ownName(): string {
  return `.adding-${process.pid}-${randomBytes(6).toString("hex")}`;
}

async function removeLeftOvers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid] = LEFT_OVER.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(parent, name);
    if (!isRunning(Number(pid)) || (await isOld(path))) await rm(path, { recursive: true, force: true });
  }
}

async function isOld(folder: string): Promise<boolean> {
  // Another process may be faster to remove it.
  const changed = await stat(folder).catch(() => undefined);
  return changed !== undefined && Date.now() - changed.mtimeMs > MAX_AGE_MS;
}

/** The failure of a model's folder that cannot be changed. An error of another kind is returned as it is. */
export function ifUnwritable(error: unknown): unknown {
  const why = whyUnwritable(error);
  if (why === undefined) return error;
  const message = `The model's folder cannot be changed: ${why}. Nothing new was kept. Mend that, or set UMPIRE_HOME to a folder of yours on another disk.`;
  return new ToolError(message, { cause: error });
}
