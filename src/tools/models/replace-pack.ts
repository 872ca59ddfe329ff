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
  return withPackLock(folder, async () => {
    const manifest = await manifestFor();
    const fill = async (next: string): Promise<void> => {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        // A link to the manifest would be written through to the old pack.
        if (entry.name === MANIFEST || entry.name === `${MANIFEST}.sha256`) continue;
        const [from, to] = [join(folder, entry.name), join(next, entry.name)];
        if (entry.isDirectory()) await cp(from, to, { recursive: true, verbatimSymlinks: true });
        // A second name for a file, or a copy where the disk has no such names.
        else await link(from, to).catch(() => copyFile(from, to));
      }
      await sealPack(next, manifest);
    };
    await makeWhole(folder, fill, hiddenName(folder, "former"));
  });
}

/** Puts back a pack whose replacement was interrupted between its two renames, and removes what one left that was interrupted after them. */
export async function repairPack(folder: string): Promise<void> {
  if (existsSync(hiddenName(folder, "former"))) await withPackLock(folder, () => Promise.resolve());
}

/** Removes a pack, and what an interrupted replacement left of it. */
export function removePack(folder: string): Promise<void> {
  return withPackLock(folder, () => discard(folder));
}

function hiddenName(folder: string, what: "former" | "lock"): string {
  return join(dirname(folder), `.${basename(folder)}.${what}`);
}

/** Runs a task on a pack that no other process replaces. What an interrupted replacement left is put in order before and after it. */
function withPackLock(folder: string, task: () => Promise<void>): Promise<void> {
  const former = hiddenName(folder, "former");
  const putInOrder = async (): Promise<void> => {
    if (!existsSync(folder) && existsSync(former)) await rename(former, folder);
    await rm(former, { recursive: true, force: true });
  };
  return withFileLock(hiddenName(folder, "lock"), async () => {
    await removeLeftOvers(dirname(folder));
    await putInOrder();
    await task().finally(putInOrder);
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

/**
 * Makes a folder beside its place, which it takes once it is filled: there is a whole one or none, even after a power cut. What processes that were killed left
 * beside it is removed.
 * @param fill is given the folder, which is empty, and flushes what it writes
 * @param former where the folder goes that is in that place
 * @throws {TargetTaken} if there is one in that place: of several that finish at once one wins
 */
export async function makeWhole<T>(target: string, fill: (folder: string) => Promise<T>, former?: string): Promise<T> {
  const parent = dirname(target);
  await mkdir(parent, { recursive: true });
  await removeLeftOvers(parent);
  const folder = join(parent, ownName());
  await mkdir(folder);
  try {
    const made = await fill(folder);
    await syncFolder(folder);
    if (former !== undefined) await rename(target, former);
    await rename(folder, target).catch((cause: unknown) => {
      // Windows says EPERM of a folder that is there.
      const { code = "" } = cause as NodeJS.ErrnoException;
      if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(code) || (code === "EPERM" && process.platform === "win32"))
        throw new TargetTaken("the target is there already", { cause });
      throw cause;
    });
    await syncFolder(parent);
    return made;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes a folder: at once under its name, and then what was in it. Whatever is left by a process that is killed goes with the next `makeWhole`. */
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

/** Whether a file or a folder that is being made is one that nobody works on any more. */
export async function isOld(path: string): Promise<boolean> {
  // Another process may be faster to remove it.
  const changed = await stat(path).catch(() => undefined);
  return changed !== undefined && Date.now() - changed.mtimeMs > MAX_AGE_MS;
}

/** Says that a model's folder cannot be changed, for an error of the file system. @throws {ToolError}; any other error as it is */
export const throwUnwritable = inWords(
  (why) =>
    `The model's folder cannot be changed: ${why}. Nothing new was kept. Mend that, or set UMPIRE_HOME to a folder of yours on another disk.`,
);
