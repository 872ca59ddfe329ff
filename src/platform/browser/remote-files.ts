import { packs } from "umpire:assets";
import type { Asset } from "umpire:assets";
import type { Download } from "../../engine/engine.ts";
import type { PackFiles } from "../../engine/model-pack.ts";
import type { OnProgress } from "../../progress.ts";
import { BUILT_IN } from "./built-in.ts";
import { download } from "./download.ts";
import { PIECE_BYTES } from "./file-cache.ts";
import type { FileCache, FileId } from "./file-cache.ts";

/** Files that a page fetches once: from the cache what it has, the rest from the server, and nothing that is not what it must be. */
export class RemoteFiles {
  readonly #cache: FileCache;
  readonly #onProgress: OnProgress | undefined;
  readonly #used: FileId[] = [];
  readonly #writes: Promise<void>[] = [];
  #fetchedBytes = 0;
  #cachedBytes = 0;

  constructor(cache: FileCache, onProgress: OnProgress | undefined) {
    this.#cache = cache;
    this.#onProgress = onProgress;
  }

  /** What has been loaded so far. */
  get download(): Download {
    const { failure } = this.#cache;
    return { fetchedBytes: this.#fetchedBytes, cachedBytes: this.#cachedBytes, ...(failure !== undefined && { cacheFailure: failure }) };
  }

  /**
   * The file, from cache and network. A file that is not what it must be, though some of it was cached, is fetched once anew.
   * @returns bytes that may still be wrong when they all came from the server: who asked for them checks and says so
   * @throws {Error} in words that say what the server did
   */
  async fetch(file: Asset): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(file.sizeBytes);
    const cached = isWeb(file.url) ? await this.#cache.read(file, bytes) : 0;
    await this.#complete(file, bytes, cached);
    if (cached > 0 && (await sha256(bytes)) !== file.sha256) {
      await this.#cache.delete(file);
      await this.#complete(file, bytes, 0);
      this.#fetchedBytes += file.sizeBytes;
    } else {
      this.#fetchedBytes += file.sizeBytes - cached;
      this.#cachedBytes += cached;
    }
    if (isWeb(file.url)) this.#used.push(file);
    return bytes;
  }

  /** The files of a pack: one of the package's own, or one in a folder of the page's choice. */
  pack(packUrl: string): PackFiles {
    return packUrl.startsWith(BUILT_IN) ? this.#builtIn(packUrl.slice(BUILT_IN.length)) : this.#folder(packUrl);
  }

  /** To be called when all that was fetched has been checked. */
  async keep(): Promise<void> {
    await Promise.all(this.#writes);
    await this.#cache.use(this.#used);
  }

  async #complete(file: Asset, bytes: Uint8Array<ArrayBuffer>, cached: number): Promise<void> {
    const report = (loadedBytes: number): void => this.#onProgress?.({ file: file.name, loadedBytes, totalBytes: file.sizeBytes });
    let kept = cached;
    report(cached);
    await download(file.url, bytes, cached, (there) => {
      report(there);
      if (!isWeb(file.url) || (there < file.sizeBytes && there - kept < PIECE_BYTES)) return;
      this.#writes.push(this.#cache.write(file, bytes, kept, there));
      kept = Math.floor(there / PIECE_BYTES) * PIECE_BYTES;
    });
  }

  #builtIn(id: string): PackFiles {
    const pack = packs[id];
    if (pack === undefined) throw new TypeError("the worker's script has no such pack: page and worker are of two versions");
    const { manifest, seal, files } = pack;
    return {
      place: new URL(".", manifest.url).href,
      read: async (name, listed) => {
        if (name === manifest.name) return this.fetch(manifest);
        if (listed === undefined) return new TextEncoder().encode(seal);
        const url = files[name];
        if (url === undefined) throw new TypeError(`the worker's script does not know where ${name} is`);
        return this.fetch({ name, url, ...listed });
      },
      sha256,
    };
  }

  #folder(packUrl: string): PackFiles {
    return {
      place: packUrl,
      read: async (name, listed) => {
        const url = new URL(encodeURIComponent(name), packUrl);
        if (listed !== undefined) return this.fetch({ name, url, ...listed });
        const response = await fetch(url, { credentials: "same-origin" });
        if (!response.ok) throw new Error(`the server answered ${response.status}`);
        const bytes = new Uint8Array(await response.arrayBuffer());
        this.#fetchedBytes += bytes.length;
        return bytes;
      },
      sha256,
    };
  }
}

/** What lies in an extension's own package needs no cache. */
function isWeb(url: URL): boolean {
  return url.protocol === "https:" || url.protocol === "http:";
}

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
