import { createHash } from "node:crypto";
import { copyFile, cp, link, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MANIFEST } from "../../library/engine/pack/manifest.ts";
import { withFileLock } from "../../files/lock.ts";
import { discard } from "./staging-dir.ts";

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
        await (entry.isDirectory() ? copyFolder : linkFile)(join(folder, entry.name), join(next, entry.name));
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
  if ((await isThere(next)) || (await isThere(former))) await withPackLock(folder, () => Promise.resolve());
}

/** Removes a pack, and what an interrupted replacement left of it. */
export function removePack(folder: string): Promise<void> {
  return withPackLock(folder, () => discard(folder));
}

/** Where a pack's replacement is made, and where the old one waits until it is done. */
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
    if (!(await isThere(folder)) && (await isThere(places.former))) await rename(places.former, folder);
    for (const left of [places.next, places.former]) await rm(left, { recursive: true, force: true });
    await task(places);
  });
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** A second name for a file, or a copy where the disk has no such names. */
async function linkFile(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}

async function copyFolder(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Writes a pack's manifest and the seal beside it: its SHA-256 in the format of the `sha256sum` command. */
export async function sealPack(folder: string, manifest: object): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  const seal = createHash("sha256").update(text).digest("hex");
  // Flushed, so that a power cut after a rename leaves no empty files.
  await writeFile(join(folder, MANIFEST), text, { flush: true });
  await writeFile(join(folder, `${MANIFEST}.sha256`), `${seal}  ${MANIFEST}\n`, { flush: true });
}
