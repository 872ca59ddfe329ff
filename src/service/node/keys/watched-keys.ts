import { DecideError } from "../../../errors.ts";
import { watch } from "../../../files/watch.ts";
import type { Watcher } from "../../../files/watch.ts";
import { createKeys } from "../../auth/key-ring.ts";
import type { KeyRing } from "../../auth/key-ring.ts";
import type { ApiKey, Keys } from "../../auth/keys.ts";
import { parseKeyFile, readBytes, warningOf } from "./key-file.ts";

export interface WatchOptions {
  /**
   * Called once for each problem that keeps the file from being followed. `invalid_request`: its content is not valid, and the last valid keys stay in
   * use. `backend_unavailable`: the system cannot read it; if that lasts, nobody is let in until it can. An error thrown here is not caught.
   */
  readonly onError: (error: DecideError) => void;
  /** Called once if other users of the machine may read or write the file. An error thrown here is not caught. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Called with the number of keys whenever the keys change, and when a problem is over. An error thrown here is not caught. */
  readonly onChange?: ((size: number) => void) | undefined;
  /** Milliseconds between two reads of the file. Default: 500. */
  readonly intervalMs?: number | undefined;
  /** Milliseconds after which a file that cannot be read lets nobody in. Default: 1,000, for editors that delete a file and write it anew. */
  readonly graceMs?: number | undefined;
}

/** Keys that follow a file. They do not keep the program alive. */
export interface WatchedKeys extends Keys, AsyncDisposable {
  readonly size: number;
  /** @throws {DecideError} `backend_unavailable` while the file cannot be read: a key that was revoked meanwhile must not let anyone in. */
  find(secret: string): Promise<ApiKey | undefined>;
  /** Stops following the file. Once this has resolved, the keys no longer change. */
  close(): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 500;
const DEFAULT_GRACE_MS = 1000;

/** Reads a key file, and follows it while the program runs. @throws {DecideError} `invalid_request` if the file cannot be read or is not valid. */
export async function watchKeyFile(path: string, options: WatchOptions): Promise<WatchedKeys> {
  const followed = new FollowedKeys(path, options, await readBytes(path));
  followed.warnOf(await warningOf(path).catch(() => undefined));
  return followed;
}

/**
 * Reads the whole file again and again, and compares its bytes. Comparing times and inode numbers would be cheaper but is not reliable: some file systems store
 * times in whole seconds. A file of 10,000 keys is read in 2 ms.
 */
class FollowedKeys implements WatchedKeys {
  readonly #path: string;
  readonly #options: WatchOptions;
  readonly #ring: KeyRing;
  readonly #watcher: Watcher;
  /** The file's content when last read, valid or not; undefined if it could not be read. */
  #bytes: Buffer | undefined;
  /** The current problem, which has already been reported. */
  #problem: DecideError | undefined;
  /** When the file could first not be read; undefined if it can. */
  #unreadSinceMs: number | undefined;
  #warning: string | undefined;

  constructor(path: string, options: WatchOptions, bytes: Buffer) {
    this.#path = path;
    this.#options = options;
    this.#bytes = bytes;
    this.#ring = createKeys(parseKeyFile(path, bytes));
    this.#watcher = watch(() => this.#look(), options.intervalMs ?? DEFAULT_INTERVAL_MS);
  }

  get size(): number {
    return this.#ring.size;
  }

  async find(secret: string): Promise<ApiKey | undefined> {
    const { graceMs = DEFAULT_GRACE_MS } = this.#options;
    if (this.#unreadSinceMs !== undefined && performance.now() - this.#unreadSinceMs > graceMs) throw nobodyIsLetIn(this.#problem);
    return this.#ring.find(secret);
  }

  /** Warns once of each mode that lets other users at the file. */
  warnOf(warning: string | undefined): void {
    if (warning !== undefined && warning !== this.#warning) this.#options.onWarning?.(warning);
    this.#warning = warning;
  }

  close(): Promise<void> {
    return this.#watcher.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #look(): Promise<() => void> {
    const startMs = performance.now();
    const found = await readBytes(this.#path).catch((error: unknown) => error);
    const news = this.#take(found, startMs);
    const warning = await warningOf(this.#path).catch(() => undefined);
    return () => {
      news();
      this.warnOf(warning);
    };
  }

  /** @param found the file's content, or why it could not be read @returns what tells of it */
  #take(found: unknown, startMs: number): () => void {
    try {
      if (!Buffer.isBuffer(found)) {
        this.#bytes = undefined;
        this.#unreadSinceMs ??= startMs;
        throw DecideError.isInstance(found) ? new DecideError("backend_unavailable", found.message, { cause: found.cause }) : found;
      }
      this.#unreadSinceMs = undefined;
      if (this.#bytes?.equals(found) === true) return () => undefined;
      this.#bytes = found;
      this.#ring.replace(parseKeyFile(this.#path, found));
    } catch (error) {
      if (!DecideError.isInstance(error)) throw error;
      const isNew = error.message !== this.#problem?.message;
      this.#problem = error;
      return () => {
        if (isNew) this.#options.onError(error);
      };
    }
    this.#problem = undefined;
    return () => this.#options.onChange?.(this.#ring.size);
  }
}

/** For clients, so without the path. */
function nobodyIsLetIn(cause: DecideError | undefined): DecideError {
  const message = "The service cannot read its keys at the moment, so it lets nobody in. Try again later, or tell its operator.";
  return new DecideError("backend_unavailable", message, { retryable: true, cause });
}
