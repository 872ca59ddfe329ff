import { packs, type Asset } from "umpire:assets";
import type { Download, OnProgress, Progress } from "../../engine/engine.ts";
import type { ListedFile } from "../../engine/pack/manifest.ts";
import { MAX_MANIFEST_BYTES, type PackFiles } from "../../engine/pack/open-pack.ts";
import { DecideError } from "../../../errors.ts";
import { sha256Hex } from "../../sha256.ts";
import { BASE, BUILT_IN, PIECE_BYTES, type FileId, type FileCache } from "./file-cache.ts";
import { download, downloadSmall, NotThere } from "./download.ts";

/** The files of one loading. Each is taken from the cache as far as it is there, and fetched from the server for the rest. */
export class RemoteFiles {
  readonly #cache: FileCache;
  readonly #onProgress: OnProgress | undefined;
  readonly #used: FileId[] = [];
  /** By hash, until everything is loaded: two devices that are compared read the same weights. */
  readonly #files = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  /** Hashes of files that came from the cache, at least in part. */
  readonly #fromCache = new Set<string>();
  readonly #writes: Promise<void>[] = [];
  /** By hash, how much of each file that was asked for is there. */
  readonly #there = new Map<string, Pick<Progress, "loadedBytes" | "totalBytes">>();
  #isManifestThere = false;
  #fetchedBytes = 0;
  #cachedBytes = 0;

  constructor(cache: FileCache, onProgress: OnProgress | undefined) {
    this.#cache = cache;
    this.#onProgress = onProgress;
  }

  get download(): Download {
    const { failure } = this.#cache;
    return { fetchedBytes: this.#fetchedBytes, cachedBytes: this.#cachedBytes, ...(failure !== undefined && { cacheFailure: failure }) };
  }

  /**
   * The file, from cache and network. Asked for again, it is the same bytes. Only their number is sure: the caller checks their hash.
   * @param isListed whether a manifest lists it: then all that is needed is known
   * @throws {Error} that says what the server did
   */
  fetch(file: Asset, isListed = true): Promise<Uint8Array<ArrayBuffer>> {
    this.#isManifestThere ||= isListed;
    return this.#remembered(file, async () => {
      this.#there.set(file.sha256, { loadedBytes: 0, totalBytes: file.sizeBytes });
      const bytes = new Uint8Array(file.sizeBytes);
      // All files of a manifest are asked for in one turn: whichever comes first, the sizes of all are known.
      const cached = await (isWeb(file.url) ? this.#cache.read(file, bytes) : 0);
      if (cached > 0) this.#fromCache.add(file.sha256);
      await this.#complete(file, bytes, cached);
      this.#fetchedBytes += file.sizeBytes - cached;
      this.#cachedBytes += cached;
      if (isWeb(file.url)) this.#used.push(file);
      return bytes;
    });
  }

  /** The file from the server alone, after its bytes from the cache proved damaged. Undefined when none of them came from the cache. */
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
   * The file, with its hash checked.
   * @throws {Error} that says what the server did, or that its file is a different one
   */
  async fetchChecked(file: Asset): Promise<Uint8Array<ArrayBuffer>> {
    for (const read of [() => this.fetch(file, false), () => this.fetchAnew(file)]) {
      const bytes = await read();
      if (bytes !== undefined && (await sha256Hex(bytes)) === file.sha256) return bytes;
    }
    throw new Error("it is not the file that came with this version of umpire");
  }

  /**
   * A manifest or its seal, whose size and hash are unknown, from the server.
   * @throws {Error} that says what the server did
   */
  async fetchUnlisted(url: URL): Promise<Uint8Array<ArrayBuffer>> {
    // The server is asked each time: an old manifest does not fit new weights.
    const bytes = await downloadSmall(url, MAX_MANIFEST_BYTES);
    this.#fetchedBytes += bytes.length;
    return bytes;
  }

  /** Completes the cache. To be called when every file has been checked. */
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

  get #overall(): Progress["overall"] {
    const sumOf = (of: "loadedBytes" | "totalBytes"): number => [...this.#there.values()].reduce((sum, file) => sum + file[of], 0);
    const [loadedBytes, totalBytes] = [sumOf("loadedBytes"), sumOf("totalBytes")];
    return { percent: this.#isManifestThere ? Math.floor((100 * loadedBytes) / totalBytes) : 0, loadedBytes, totalBytes };
  }

  /** Downloads the file from byte `cached` on, and keeps each piece as soon as it is there. */
  async #complete(file: Asset, bytes: Uint8Array<ArrayBuffer>, cached: number): Promise<void> {
    const report = (loadedBytes: number): void => {
      const there = { loadedBytes, totalBytes: file.sizeBytes };
      this.#there.set(file.sha256, there);
      this.#onProgress?.({ file: file.name, ...there, overall: this.#overall });
    };
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
}

/** Files of an extension's own package need no cache: they are on this machine. */
function isWeb(url: URL): boolean {
  return url.protocol === "https:" || url.protocol === "http:";
}

/** The files of a pack: one of the package's own, the larger model beside them, or one in a folder that the page names. */
export function packFiles(packUrl: string, files: RemoteFiles): PackFiles {
  if (!packUrl.startsWith(BUILT_IN)) return folderFiles(packUrl, files);
  const id = packUrl.slice(BUILT_IN.length);
  return id === BASE ? baseFiles(files) : builtInFiles(id, files);
}

function builtInFiles(id: string, remote: RemoteFiles): PackFiles {
  const pack = packs[id];
  // The page's script lists the same packs: it comes from the same build.
  if (pack === undefined) throw new TypeError("the worker's script has no pack of the name that the page's script gave it");
  const { manifest, seal, files } = pack;
  const asset = (name: string, listed: ListedFile): Asset => {
    const url = files[name];
    if (url === undefined) throw new TypeError(`the worker's script has no URL for ${name}`);
    return { name, url, ...listed };
  };
  return {
    place: new URL(".", manifest.url).href,
    areLocal: false,
    // `read` gives no other manifest.
    isOfThisBuild: () => true,
    read: async (name, listed) => {
      if (listed !== undefined) return remote.fetch(asset(name, listed));
      return name === manifest.name ? remote.fetchChecked(manifest) : new TextEncoder().encode(seal);
    },
    readAnew: (name, listed) => remote.fetchAnew(asset(name, listed)),
    sha256: sha256Hex,
  };
}

function folderFiles(packUrl: string, remote: RemoteFiles): PackFiles {
  const urlOf = (name: string): URL => new URL(encodeURIComponent(name), packUrl);
  return {
    place: packUrl,
    areLocal: false,
    read: (name, listed) =>
      listed === undefined ? remote.fetchUnlisted(urlOf(name)) : remote.fetch({ name, url: urlOf(name), ...listed }),
    readAnew: (name, listed) => remote.fetchAnew({ name, url: urlOf(name), ...listed }),
    sha256: sha256Hex,
  };
}

/** This build knows no more of them than their place. As in any folder, they are checked against the seal that lies with them. */
function baseFiles(remote: RemoteFiles): PackFiles {
  // A bundler may have given the worker another place, but this is always that of its script.
  const files = folderFiles(new URL(`models/${BASE}/`, location.href).href, remote);
  return {
    ...files,
    read: (name, listed) =>
      files.read(name, listed).catch((cause: unknown) => {
        if (!(cause instanceof NotThere)) throw cause;
        const message = `There is no ${name} of the model ${BASE} in ${files.place}: ${cause.message}. Copy the folder node_modules/umpire-base/${BASE} there, or say where it is: createDecider({ model: "/models/${BASE}/" }).`;
        throw new DecideError("model_not_found", message, { cause });
      }),
  };
}
