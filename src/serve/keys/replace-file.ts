import { randomUUID } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

const OWNER_ONLY = 0o600;

/**
 * Replaces a file atomically: a reader sees the old text or the new one, never a part, even after a power cut. A new file is readable by its owner
 * only. An existing file keeps its owner and mode, because a server that runs as another user must still be able to read it.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", OWNER_ONLY);
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
  const before = await stat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (before === undefined) return;
  const { uid, gid } = await file.stat();
  if (uid !== before.uid || gid !== before.gid) await file.chown(before.uid, before.gid);
  await file.chmod(before.mode & 0o777);
}

/** A rename survives a power cut only after this. */
async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
