import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, cp, link, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MANIFEST } from "../../library/engine/pack/manifest.ts";
import { isRunning, withFileLock } from "../../files/lock.ts";
import { syncFolder } from "../../files/replace.ts";
import { inWords } from "../tool-error.ts";

/**
 * Replaces a pack by one with the same files and another manifest, whole or not at all. The manifest and its seal are two files, and a reader between two
 * writes would see a damaged pack. So a new folder is made beside the old one, with links in place of the large files, and takes its place by two renames.
 * A program that is killed before them leaves the old pack, one that is killed after them the new one. Between them, there is none for a moment:
 * `repairPack` puts the old one back. One process at a time does this to a pack.
 * @param folder not a link, or the link would be replaced
 * @param manifestFor the new manifest, asked for once no other process replaces the pack any more
 * @throws {DecideError} `overloaded` if another process does so for longer than ten seconds; the system's error if the folder beside it cannot be written
 */
export function replacePack(folder: string, manifestFor: () => object | Promise<object>): Promise<void> {
  return withPackLock(folder, async ({ next, former }) => {
    const manifest = await manifestFor();
    try {
      await mkdir(next);
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        // A link to the manifest would be written through to the old pack.
        if (entry.name === MANIFEST || entry.name === `${MANIFEST}.sha256`) continue;
        const [from, to] = [join(folder, entry.name), join(next, entry.name)];
        if (entry.isDirectory()) await cp(from, to, { recursive: true, verbatimSymlinks: true });
        // A second name for a file, or a copy where the disk has no such names.
        else await link(from, to).catch(() => copyFile(from, to));
      }
      await sealPack(next, manifest);
      await rename(folder, former);
      await rename(next, folder).catch(async (error: unknown) => {
        await rename(former, folder);
        throw error;
      });
    } catch (error) {
      await rm(next, { recursive: true, force: true });
      throw error;
    }
    await rm(former, { recursive: true, force: true });
  });
}

/** Puts back a pack whose replacement was interrupted between its two renames, and removes what an interrupted one left. Nothing happens to any other. */
export async function repairPack(folder: string): Promise<void> {
  const { next, former } = besides(folder);
  if (existsSync(next) || existsSync(former)) await withPackLock(folder, () => Promise.resolve());
}

/** Removes a pack, and what an interrupted replacement left of it. */
export function removePack(folder: string): Promise<void> {
  return withPackLock(folder, () => discard(folder));
}

interface Besides {
  readonly next: string;
  readonly former: string;
}

function besides(folder: string): Besides {
  const hidden = join(dirname(folder), `.${basename(folder)}`);
  return { next: `${hidden}.next`, former: `${hidden}.former` };
}

/** Runs a task on a pack that no other process replaces. What an interrupted replacement left is put in order first. */
function withPackLock(folder: string, task: (places: Besides) => Promise<void>): Promise<void> {
  const places = besides(folder);
  return withFileLock(join(dirname(folder), `.${basename(folder)}.lock`), async () => {
    if (!existsSync(folder) && existsSync(places.former)) await rename(places.former, folder);
    for (const left of [places.next, places.former]) await rm(left, { recursive: true, force: true });
    await task(places);
  });
}

/** Writes a pack's manifest and the seal beside it: its SHA-256 in the format of the `sha256sum` command. */
export async function sealPack(folder: string, manifest: object): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  const seal = createHash("sha256").update(text).digest("hex");
  // Flushed, so that a power cut after a rename leaves no empty files.
  await writeFile(join(folder, MANIFEST), text, { flush: true });
  await writeFile(join(folder, `${MANIFEST}.sha256`), `${seal}  ${MANIFEST}\n`, { flush: true });
}

const LEFT_OVER = /^\.adding-(\d{1,10})-[\da-f]{12}$/u;
/** Nobody works that long. In containers every process may have the same id, and seem to be alive. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

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
async function discard(folder: string): Promise<void> {
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

/** Says that a model's folder cannot be changed, for an error of the file system. @throws {ToolError}; any other error as it is */
export const throwUnwritable = inWords(
  (why) =>
    `The model's folder cannot be changed: ${why}. Nothing new was kept. Mend that, or set UMPIRE_HOME to a folder of yours on another disk.`,
);
