import { DecideError } from "../../errors.ts";
import { createKeys } from "../../http/auth/key-ring.ts";
import type { KeyRing } from "../../http/auth/key-ring.ts";
import type { ApiKey, Keys } from "../../http/auth/keys.ts";
import { parseKeyFile, readBytes } from "./key-file.ts";

export interface WatchOptions {
  /** Called once for each problem that keeps the file from being followed; the last valid keys stay in use. An error thrown here is not caught. */
  readonly onError: (error: DecideError) => void;
  /** Called with the number of keys whenever the keys change, and when a problem is over. An error thrown here is not caught. */
  readonly onChange?: ((size: number) => void) | undefined;
  /** Milliseconds between two reads of the file. Default: 500. */
  readonly intervalMs?: number | undefined;
}

/** Keys that follow a file. They do not keep the program alive. */
export interface WatchedKeys extends Keys, AsyncDisposable {
  /** The number of keys. */
  readonly size: number;
  /** Stops following the file. Once this has resolved, the keys no longer change. */
  close(): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 500;

/**
 * Reads a key file, and follows it while the program runs.
 * @throws {DecideError} `invalid_request` if the file cannot be read or is not valid.
 */
export async function watchKeyFile(path: string, options: WatchOptions): Promise<WatchedKeys> {
  const bytes = await readBytes(path);
  return new FollowedKeys(path, options, bytes);
}

/**
 * Reads the whole file again and again, and compares its bytes. Comparing times and inode numbers would be cheaper but is not reliable: some file
 * systems store times in whole seconds, and the path may be a link that is redirected, as in container secrets. A file of 10,000 keys is read in
 * 2 ms.
 */
class FollowedKeys implements WatchedKeys {
  readonly #path: string;
  readonly #options: WatchOptions;
  readonly #ring: KeyRing;
  /** The file's content when last read, valid or not; undefined if it could not be read. */
  #bytes: Buffer | undefined;
  /** The message of the current problem, which has already been reported. */
  #problem: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(path: string, options: WatchOptions, bytes: Buffer) {
    this.#path = path;
    this.#options = options;
    this.#bytes = bytes;
    this.#ring = createKeys(parseKeyFile(path, bytes));
    this.#scheduleRead();
  }

  get size(): number {
    return this.#ring.size;
  }

  find(secret: string): Promise<ApiKey | undefined> {
    return this.#ring.find(secret);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#reading;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #scheduleRead(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#reading = this.#read();
    }, this.#options.intervalMs ?? DEFAULT_INTERVAL_MS).unref();
  }

  async #read(): Promise<void> {
    const found = await readBytes(this.#path).catch((error: unknown) => error);
    // Scheduled first, so that an error thrown by a listener does not stop the reads.
    this.#scheduleRead();
    try {
      if (!Buffer.isBuffer(found)) {
        this.#bytes = undefined;
        throw found;
      }
      if (this.#bytes?.equals(found) === true) return;
      this.#bytes = found;
      this.#ring.replace(parseKeyFile(this.#path, found));
    } catch (error) {
      this.#report(error);
      return;
    }
    this.#problem = undefined;
    this.#options.onChange?.(this.#ring.size);
  }

  #report(error: unknown): void {
    if (!DecideError.isInstance(error)) throw error;
    if (error.message === this.#problem) return;
    this.#problem = error.message;
    this.#options.onError(error);
  }
}
