import { parseKey, useKey } from "./cache-keys.ts";
import type { FileId } from "./cache-keys.ts";

/** A file in the cache, and when it was last used. */
interface LastUse extends FileId {
  readonly usedAtMs: number;
}

/** Notes in the cache itself that the file is used now. */
export async function noteUse(cache: Cache, id: FileId): Promise<void> {
  await cache.put(useKey(id), Response.json({ usedAtMs: Date.now(), sizeBytes: id.sizeBytes }));
}

/** Every file in the cache. One without a note counts as never used, and as `unknownBytes` long. */
export async function lastUses(cache: Cache, unknownBytes: number): Promise<LastUse[]> {
  const uses = new Map<string, LastUse>();
  for (const { url } of await cache.keys()) {
    const { sha256, isUse } = parseKey(url);
    if (isUse) {
      // Another tab may have deleted the note since.
      const note = (await (await cache.match(url))?.json()) as Omit<LastUse, "sha256"> | undefined;
      if (note !== undefined) uses.set(sha256, { ...note, sha256 });
    } else if (!uses.has(sha256)) {
      uses.set(sha256, { sha256, usedAtMs: 0, sizeBytes: unknownBytes });
    }
  }
  return [...uses.values()];
}
