/** The number is the version of the cache's layout. A version of umpire with another layout uses another name. */
const CACHE_NAME = "umpire-files-1";
const CACHE_NAMES = /^umpire-files-\d+$/;
/** Most that all files take together; the longest unused are deleted first. Both models and both runtimes take about 170 MB. */
const MAX_CACHE_BYTES = 320e6;

/**
 * Files in the browser's Cache API, kept from visit to visit. When the browser refuses (quota, private mode, no secure context), everything works
 * without the cache, and `failure` says why nothing is kept.
 */
export class FileCache {
  readonly #cache: Cache | undefined;
  /** Why files are not kept; undefined while they are. */
  failure: string | undefined;

  private constructor(cache: Cache | undefined, failure?: string) {
    this.#cache = cache;
    this.failure = failure;
  }

  static async open(): Promise<FileCache> {
    if (typeof caches === "undefined") return new FileCache(undefined, "this page has no Cache API");
    try {
      return new FileCache(await caches.open(CACHE_NAME));
    } catch (error) {
      return new FileCache(undefined, String(error));
    }
  }

  /** Copies the cached pieces of a file into `bytes`, from the start of the file up to the first gap. Returns the number of bytes copied. */
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
      for (const { url } of await cache.keys()) if (parseKey(url).sha256 === sha256) await cache.delete(url);
    });
  }

  /** Notes that these files are used now. While all files together are too large, deletes the longest unused of the others. */
  async use(used: readonly FileId[]): Promise<void> {
    await this.#attempt(async (cache) => {
      for (const id of used) await noteUse(cache, id);
      const kept = await lastUses(cache);
      let totalBytes = 0;
      for (const { sha256, sizeBytes } of kept.sort((a, b) => b.usedAtMs - a.usedAtMs)) {
        totalBytes += sizeBytes;
        if (totalBytes > MAX_CACHE_BYTES && !used.some((id) => id.sha256 === sha256)) await this.delete({ sha256 });
      }
    });
  }

  /** After the first failure, nothing more is tried. */
  async #attempt(task: (cache: Cache) => Promise<void>): Promise<void> {
    if (this.#cache === undefined || this.failure !== undefined) return;
    try {
      await task(this.#cache);
    } catch (error) {
      this.failure = String(error);
    }
  }
}

/** Deletes the model and runtime files that umpire, in any version, keeps in the browser's cache for this origin. Loaded models stay loaded. */
export async function clearCache(): Promise<void> {
  if (typeof caches === "undefined") return;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => CACHE_NAMES.test(name)).map((name) => caches.delete(name)));
}

type LastUse = FileId & { readonly usedAtMs: number };

async function noteUse(cache: Cache, id: FileId): Promise<void> {
  await cache.put(keyOf(id, USED), Response.json({ usedAtMs: Date.now(), sizeBytes: id.sizeBytes }));
}

/** Every file in the cache. One without a note counts as never used, and as long as all together may be. */
async function lastUses(cache: Cache): Promise<LastUse[]> {
  const uses = new Map<string, LastUse>();
  for (const { url } of await cache.keys()) {
    const { sha256, isUse } = parseKey(url);
    if (isUse) {
      // Another tab may have deleted the note since.
      const note = (await (await cache.match(url))?.json()) as Omit<LastUse, "sha256"> | undefined;
      if (note !== undefined) uses.set(sha256, { ...note, sha256 });
    } else if (!uses.has(sha256)) {
      uses.set(sha256, { sha256, usedAtMs: 0, sizeBytes: MAX_CACHE_BYTES });
    }
  }
  return [...uses.values()];
}

/** A file, identified by its content. */
export interface FileId {
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Files are kept in pieces of this size, so that a visit that ends early leaves less to fetch for the next one. */
export const PIECE_BYTES = 4 * 2 ** 20;
/** Keys of the Cache API are URLs. These are never fetched: the domain `invalid` is reserved for names that do not exist (RFC 2606). */
const KEYS = "https://umpire.invalid/";
const USED = "used";

/** @param part where a piece begins, or the note of the last use */
function keyOf({ sha256 }: FileId, part: number | typeof USED): string {
  return `${KEYS}${sha256}/${part}`;
}

function parseKey(key: string): { readonly sha256: string; readonly isUse: boolean } {
  const [sha256 = "", part] = key.slice(KEYS.length).split("/");
  return { sha256, isUse: part === USED };
}

function pieceSize({ sizeBytes }: FileId, at: number): number {
  return Math.min(PIECE_BYTES, sizeBytes - at);
}

/**
 * URL of a folder, with a slash at its end. Relative places start at the page's base URL.
 * @throws {TypeError} for a URL that is not valid, or that has a query or a fragment
 */
export function asFolder(place: string | URL): string {
  // A page's own worker may use umpire, too, and has no document.
  const url = new URL(place, typeof document === "undefined" ? location.href : document.baseURI);
  if (url.search !== "" || url.hash !== "") throw new TypeError("a folder's URL has no query and no fragment");
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url.href;
}

/** Prefix of the URL by which the page names a pack that lies with the package's files. Only the worker's script knows where those are. */
export const BUILT_IN = "built-in:";

/** The larger model, of the npm package umpire-base. A page's makers copy it beside the other packs, or not: nobody knows before it is loaded. */
export const BASE = "umpire-3-base";
