/** A file by its content: what it must be is its name. */
export interface FileId {
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Version of what is written below. Another version of umpire that writes something else takes another name. */
const CACHE_NAME = "umpire-files-1";
const CACHE_NAMES = /^umpire-files-\d+$/;
/** Together, files take no more than this; the longest unused go first. Model and both runtimes take about 55 MB. */
const MAX_CACHE_BYTES = 160e6;
/** Files lie in pieces, so that a visit that ended early leaves the next one less to fetch. */
export const PIECE_BYTES = 4 * 2 ** 20;
/** Keys of the Cache API are URLs, which are never fetched here. The domain `invalid` is reserved for that (RFC 2606). */
const KEYS = "https://umpire.invalid/";

/**
 * Files that are kept in the browser's Cache API from visit to visit. Whatever it refuses (quota, private mode, no secure context), everything works
 * without it: `failure` says why nothing is kept.
 */
export class FileCache {
  readonly #cache: Cache | undefined;
  #failure: string | undefined;

  private constructor(cache: Cache | undefined, failure?: string) {
    this.#cache = cache;
    this.#failure = failure;
  }

  static async open(): Promise<FileCache> {
    if (typeof caches === "undefined") return new FileCache(undefined, "this page has no Cache API");
    try {
      return new FileCache(await caches.open(CACHE_NAME));
    } catch (error) {
      return new FileCache(undefined, String(error));
    }
  }

  /** Why files are not kept, where they are not. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Copies what is kept of a file, from its start on, into `bytes`. Returns how many bytes that is. */
  async read(id: FileId, bytes: Uint8Array): Promise<number> {
    let at = 0;
    await this.#attempt(async (cache) => {
      while (at < id.sizeBytes) {
        const piece = await (await cache.match(keyOf(id, at)))?.arrayBuffer();
        if (piece?.byteLength !== pieceSize(id, at)) return;
        bytes.set(new Uint8Array(piece), at);
        at += piece.byteLength;
      }
    });
    return at;
  }

  /** Keeps the pieces of a file that lie wholly in `from`..`to`. */
  async write(id: FileId, bytes: Uint8Array<ArrayBuffer>, from: number, to: number): Promise<void> {
    await this.#attempt(async (cache) => {
      await noteUse(cache, id);
      for (let at = Math.ceil(from / PIECE_BYTES) * PIECE_BYTES; at < id.sizeBytes && at + pieceSize(id, at) <= to; at += PIECE_BYTES) {
        await cache.put(keyOf(id, at), new Response(bytes.subarray(at, at + pieceSize(id, at))));
      }
    });
  }

  async delete({ sha256 }: Pick<FileId, "sha256">): Promise<void> {
    await this.#attempt(async (cache) => {
      for (const { url } of await cache.keys()) if (url.startsWith(KEYS + sha256)) await cache.delete(url);
    });
  }

  /** Notes that these files were used now, and deletes others, the longest unused first, while all together are too large. */
  async use(used: readonly FileId[]): Promise<void> {
    await this.#attempt(async (cache) => {
      for (const id of used) await noteUse(cache, id);
      const kept = await notes(cache);
      let totalBytes = 0;
      for (const { sha256, sizeBytes } of kept.sort((a, b) => b.usedAtMs - a.usedAtMs)) {
        totalBytes += sizeBytes;
        if (totalBytes > MAX_CACHE_BYTES && !used.some((id) => id.sha256 === sha256)) await this.delete({ sha256 });
      }
    });
  }

  /** Once something has failed, nothing more is tried. */
  async #attempt(task: (cache: Cache) => Promise<void>): Promise<void> {
    if (this.#cache === undefined || this.#failure !== undefined) return;
    try {
      await task(this.#cache);
    } catch (error) {
      this.#failure = String(error);
    }
  }
}

/** Deletes all that any version of umpire has kept on this origin. */
export async function clearFileCache(): Promise<void> {
  if (typeof caches === "undefined") return;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => CACHE_NAMES.test(name)).map((name) => caches.delete(name)));
}

interface Note {
  readonly sha256: string;
  readonly usedAtMs: number;
  readonly sizeBytes: number;
}

async function noteUse(cache: Cache, id: FileId): Promise<void> {
  await cache.put(noteOf(id), Response.json({ usedAtMs: Date.now(), sizeBytes: id.sizeBytes }));
}

/** Pieces without a note count as unused since ever. */
async function notes(cache: Cache): Promise<Note[]> {
  const noted = new Map<string, Note>();
  for (const { url } of await cache.keys()) {
    const [sha256 = "", part] = url.slice(KEYS.length).split("/");
    if (part === "used") {
      // Another tab may have deleted it since.
      const note = (await (await cache.match(url))?.json()) as Omit<Note, "sha256"> | undefined;
      if (note !== undefined) noted.set(sha256, { ...note, sha256 });
    } else if (!noted.has(sha256)) {
      noted.set(sha256, { sha256, usedAtMs: 0, sizeBytes: MAX_CACHE_BYTES });
    }
  }
  return [...noted.values()];
}

function pieceSize({ sizeBytes }: FileId, at: number): number {
  return Math.min(PIECE_BYTES, sizeBytes - at);
}

function keyOf({ sha256 }: FileId, at: number): string {
  return `${KEYS}${sha256}/${at}`;
}

function noteOf({ sha256 }: FileId): string {
  return `${KEYS}${sha256}/used`;
}
