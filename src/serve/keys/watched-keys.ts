import { DecideError } from "../../errors.ts";
import { createKeys } from "../../http/auth/key-ring.ts";
import type { KeyRing } from "../../http/auth/key-ring.ts";
import type { ApiKey, Keys } from "../../http/auth/keys.ts";
import { parseKeyFile, readBytes } from "./key-file.ts";

export interface WatchOptions {
  /** Told once of each problem that keeps the file from being followed; the last good keys stay. What it throws is not caught. */
  readonly onError: (error: DecideError) => void;
  /** Told of the number of keys whenever others hold, and when a problem is over. What it throws is not caught. */
  readonly onChange?: ((size: number) => void) | undefined;
  /** From one look at the file to the next. Default: 500. */
  readonly intervalMs?: number | undefined;
}

/** Keys that are those of a file, whatever becomes of it. They keep no program alive. */
export interface WatchedKeys extends Keys, AsyncDisposable {
  /** How many there are. */
  readonly size: number;
  /** Looks at the file no more; when it has resolved, the keys stay what they are. */
  close(): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 500;

/**
 * The keys of a key file, which is followed while the program runs.
 * @throws {DecideError} `invalid_request` when the file cannot be read or is not valid now.
 */
export async function watchKeyFile(path: string, options: WatchOptions): Promise<WatchedKeys> {
  const bytes = await readBytes(path);
  return new FollowedKeys(path, options, bytes);
}

/**
 * The content is read and compared, again and again. Times and numbers of a file would cost less, but are not to be relied on: on some file
 * systems times are whole seconds, and a link may lead elsewhere, as those of container secrets do. A file of 10,000 keys is read in 2 ms.
 */
class FollowedKeys implements WatchedKeys {
  readonly #path: string;
  readonly #options: WatchOptions;
  readonly #ring: KeyRing;
  /** As last seen, good or bad; undefined when it could not be read. */
  #bytes: Buffer | undefined;
  /** Message of the error that was told last, while it lasts. */
  #problem: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(path: string, options: WatchOptions, bytes: Buffer) {
    this.#path = path;
    this.#options = options;
    this.#bytes = bytes;
    this.#ring = createKeys(parseKeyFile(path, bytes));
    this.#waitAndLook();
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
    await this.#looking;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #waitAndLook(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
    }, this.#options.intervalMs ?? DEFAULT_INTERVAL_MS).unref();
  }

  async #look(): Promise<void> {
    const found = await readBytes(this.#path).catch((error: unknown) => error);
    // The next look is planned first: what a listener throws must not end it.
    this.#waitAndLook();
    try {
      if (!Buffer.isBuffer(found)) {
        this.#bytes = undefined;
        throw found;
      }
      if (this.#bytes?.equals(found) === true) return;
      this.#bytes = found;
      this.#ring.replace(parseKeyFile(this.#path, found));
    } catch (error) {
      this.#tell(error);
      return;
    }
    this.#problem = undefined;
    this.#options.onChange?.(this.#ring.size);
  }

  #tell(error: unknown): void {
    if (!DecideError.isInstance(error)) throw error;
    if (error.message === this.#problem) return;
    this.#problem = error.message;
    this.#options.onError(error);
  }
}
