import { packs } from "umpire:assets";
import type { Asset } from "umpire:assets";
import type { Download } from "../../engine/engine.ts";
import type { ListedFile } from "../../engine/pack/manifest.ts";
import type { PackFiles } from "../../engine/pack/open-pack.ts";
import type { OnProgress } from "../../decider/progress.ts";
import { sha256Hex } from "../../sha256.ts";
import { BUILT_IN } from "./built-in.ts";
import { download } from "./download.ts";
import { PIECE_BYTES } from "./file-cache.ts";
import type { FileCache, FileId } from "./file-cache.ts";

/** Files that a page fetches once: from the cache what it has, the rest from the server. */
export class RemoteFiles {
  readonly #cache: FileCache;
  readonly #onProgress: OnProgress | undefined;
  readonly #used: FileId[] = [];
  /** By hash, until all is loaded: two devices that are tried read the same weights. */
  readonly #files = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  /** Hashes of files that came from the cache, at least in part. */
  readonly #fromCache = new Set<string>();
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
   * The file, from cache and network; asked for again, the same bytes. Who asks for it checks it.
   * @throws {Error} in words that say what the server did
   */
  fetch(file: Asset): Promise<Uint8Array<ArrayBuffer>> {
    return this.#remembered(file, async () => {
      const bytes = new Uint8Array(file.sizeBytes);
      const cached = isWeb(file.url) ? await this.#cache.read(file, bytes) : 0;
      if (cached > 0) this.#fromCache.add(file.sha256);
      await this.#complete(file, bytes, cached);
      this.#fetchedBytes += file.sizeBytes - cached;
      this.#cachedBytes += cached;
      if (isWeb(file.url)) this.#used.push(file);
      return bytes;
    });
  }

  /** The file from the server alone, when what the cache had of it was damaged; undefined when nothing of it came from there. */
  async fetchAnew(file: Asset): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (!this.#fromCache.delete(file.sha256)) return undefined;
    this.#files.delete(file.sha256);
    return this.#remembered(file, async () => {
      await this.#cache.delete(file);
      const bytes = new Uint8Array(file.sizeBytes);
      await this.#complete(file, bytes, 0);
      this.#fetchedBytes += file.sizeBytes;
      return bytes;
    });
  }

  /**
   * The file, checked.
   * @throws {Error} in words that say what the server did, or that its file is another one
   */
  async fetchChecked(file: Asset): Promise<Uint8Array<ArrayBuffer>> {
    for (const read of [() => this.fetch(file), () => this.fetchAnew(file)]) {
      const bytes = await read();
      if (bytes !== undefined && (await sha256Hex(bytes)) === file.sha256) return bytes;
    }
    throw new Error("it is not the file that came with this version of umpire");
  }

  /** The files of a pack: one of the package's own, or one in a folder of the page's choice. */
  pack(packUrl: string): PackFiles {
    return packUrl.startsWith(BUILT_IN) ? this.#builtIn(packUrl.slice(BUILT_IN.length)) : this.#folder(packUrl);
  }

  /** To be called when all that was fetched has been checked. */
  async keep(): Promise<void> {
    this.#files.clear();
    await Promise.all(this.#writes);
    await this.#cache.use(this.#used);
  }

  #remembered(file: Asset, fetch: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#files.get(file.sha256);
    if (known !== undefined) return known;
    const fetched = fetch();
    this.#files.set(file.sha256, fetched);
    fetched.catch(() => this.#files.delete(file.sha256));
    return fetched;
  }

  async #complete(file: Asset, bytes: Uint8Array<ArrayBuffer>, cached: number): Promise<void> {
    const report = (loadedBytes: number): void => this.#onProgress?.({ file: file.name, loadedBytes, totalBytes: file.sizeBytes });
    let kept = cached;
    let furthest = cached;
    report(cached);
    await download(file.url, bytes, cached, (there) => {
      if (there > furthest) report((furthest = there));
      if (!isWeb(file.url) || (there < file.sizeBytes && there - kept < PIECE_BYTES)) return;
      this.#writes.push(this.#cache.write(file, bytes, kept, there));
      kept = Math.floor(there / PIECE_BYTES) * PIECE_BYTES;
    });
  }

  #builtIn(id: string): PackFiles {
    const pack = packs[id];
    if (pack === undefined) throw new TypeError("the worker's script has no such pack: page and worker are of two versions");
    const { manifest, seal, files } = pack;
    const asset = (name: string, listed: ListedFile): Asset => {
      const url = files[name];
      if (url === undefined) throw new TypeError(`the worker's script does not know where ${name} is`);
      return { name, url, ...listed };
    };
    return {
      place: new URL(".", manifest.url).href,
      areLocal: false,
      read: async (name, listed) => {
        if (listed !== undefined) return this.fetch(asset(name, listed));
        return name === manifest.name ? this.fetchChecked(manifest) : new TextEncoder().encode(seal);
      },
      readAnew: (name, listed) => this.fetchAnew(asset(name, listed)),
      sha256: sha256Hex,
    };
  }

  #folder(packUrl: string): PackFiles {
    const urlOf = (name: string): URL => new URL(encodeURIComponent(name), packUrl);
    return {
      place: packUrl,
      areLocal: false,
      read: (name, listed) => (listed === undefined ? this.#fetchUnlisted(urlOf(name)) : this.fetch({ name, url: urlOf(name), ...listed })),
      readAnew: (name, listed) => this.fetchAnew({ name, url: urlOf(name), ...listed }),
      sha256: sha256Hex,
    };
  }

  async #fetchUnlisted(url: URL): Promise<Uint8Array<ArrayBuffer>> {
    // Asked for anew each time: an old manifest beside new weights would be no model.
    const response = await fetch(url, { cache: "no-cache", credentials: "same-origin" });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    this.#fetchedBytes += bytes.length;
    return bytes;
  }
}

/** What lies in an extension's own package needs no cache. */
function isWeb(url: URL): boolean {
  return url.protocol === "https:" || url.protocol === "http:";
}
