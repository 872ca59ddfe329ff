import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRunning } from "../../files/lock.ts";

const LEFT_OVER = /^\.adding-(\d{1,10})-[\da-f]{12}$/u;
/** Nobody works that long. In containers every process may have the same id, and seem to be alive. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** There is something at the target already. */
export class TargetTaken extends Error {}

/** A folder beside its target in which something is made, and which then becomes the target: there is a whole one or none, even after a power cut. */
export class WorkFolder {
  readonly path: string;
  readonly #target: string;

  private constructor(path: string, target: string) {
    this.path = path;
    this.#target = target;
  }

  /** Also removes what processes that were killed left there. */
  static async make(target: string): Promise<WorkFolder> {
    const parent = dirname(target);
    await mkdir(parent, { recursive: true });
    await removeLeftOvers(parent);
    const path = join(parent, ownName());
    await mkdir(path);
    return new WorkFolder(path, target);
  }

  /** Of several that finish at once one wins. @throws {TargetTaken} */
  async finish(): Promise<void> {
    for (const name of await readdir(this.path)) await sync(join(this.path, name));
    await sync(this.path);
    try {
      await rename(this.path, this.#target);
    } catch (cause) {
      // Windows says EPERM of a folder that is there.
      const { code = "" } = cause as NodeJS.ErrnoException;
      if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(code) || (code === "EPERM" && process.platform === "win32"))
        throw new TargetTaken("the target is there already", { cause });
      throw cause;
    }
    await sync(dirname(this.#target));
  }

  /** Does nothing once it is finished. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes a folder: at once under its name, and then what was in it. Whatever is left by a process that is killed goes with the next `WorkFolder.make`. */
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

/** A file's content, or a folder's names, survive a power cut only after this. */
async function sync(path: string): Promise<void> {
  // Windows cannot open folders, and cannot sync what was opened to be read.
  if (process.platform === "win32") return;
  const opened = await open(path, "r");
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
