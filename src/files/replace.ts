import { randomUUID } from "node:crypto";
import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { unlessMissing } from "./system-errors.ts";

/** The mode of a new file with secrets: its owner alone can read it. */
export const OWNER_ONLY = 0o600;
/** The mode of any other new file; the system takes from it what the user's umask forbids. */
export const AS_USUAL = 0o666;

/**
 * Replaces a file atomically: a reader sees the old text or the new one, never a part, even after a power cut. An existing file keeps its owner and
 * mode, because a server that runs as another user must still be able to read it.
 * @param newMode the mode of a file that is new
 */
export async function replaceFile(path: string, text: string, newMode: typeof OWNER_ONLY | typeof AS_USUAL): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", newMode);
    try {
      await file.writeFile(text);
      await takeOwnerAndMode(path, file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function takeOwnerAndMode(path: string, file: FileHandle): Promise<void> {
  const before = await unlessMissing(stat(path));
  if (before === undefined) return;
  const { uid, gid } = await file.stat();
  if (uid !== before.uid || gid !== before.gid) await file.chown(before.uid, before.gid);
  await file.chmod(before.mode & 0o777);
}

/** A rename, or a new file, survives a power cut only after this. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
