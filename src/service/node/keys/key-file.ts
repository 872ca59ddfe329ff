import { randomBytes } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { DecideError } from "../../../errors.ts";
import { withFileLock } from "../../../files/lock.ts";
import { OWNER_ONLY, replaceFile } from "../../../files/replace.ts";
import { isMissing, whyUnreadable, whyUnwritable } from "../../../files/system-errors.ts";
import { parseJsonFile, readRegularFile, watch } from "../../../files/watch.ts";
import { invalidKeys, keyFromSecret, readKey, readKeys, createKeys } from "../../auth/key-ring.ts";
import type { ApiKey, Keys } from "../../auth/keys.ts";
import { Field } from "../../../library/validation/field.ts";

/** Makes a leaked secret easy to recognise, for people and for scanners. */
const SECRET_PREFIX = "ump_";
const SECRET_BYTES = 32;

/** Bits of a mode: the group or others may write; and others may read as well. */
const OTHERS_WRITE = 0o022;
const OTHERS_MODE = OTHERS_WRITE | 0o004;

/**
 * Reads a key file: JSON, `{ "keys": [{ "name", "sha256", … }] }`, with the fields of {@link ApiKey}.
 * @throws {DecideError} `invalid_request` if the file cannot be read or is not valid, with every issue and its place.
 */
export async function readKeyFile(path: string): Promise<ApiKey[]> {
  return parseKeyFile(path, await readBytes(path, "invalid_request"));
}

/**
 * Generates a key with a secret of 256 random bits and adds it to a key file. Creates the file if it does not exist.
 * @returns the secret only here: the file stores its SHA-256
 * @throws {DecideError} `invalid_request` for a name in use, an invalid field, and a file that cannot be read or written; `overloaded` if other
 *   processes keep the file locked for 10 seconds.
 */
export async function addKey(
  path: string,
  key: Omit<ApiKey, "sha256" | "createdAt">,
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
  const added = await keyFromSecret(key.name, secret, { ...key, createdAt: new Date().toISOString() });
  const field = new Field(added, ["key"]);
  readKey(field);
  if (field.issues.length > 0) throw invalidKeys("The new key is", field.issues);
  await changeKeys(path, true, (keys) => {
    if (keys.some(({ name }) => name === added.name)) {
      throw new DecideError("invalid_request", `${path} already has a key of this name. Revoke it first, or choose another name.`);
    }
    return [...keys, added];
  });
  return { key: added, secret };
}

/**
 * Removes a key from a key file. Servers that follow the file then refuse the key.
 * @throws {DecideError} `invalid_request` if no key has that name, and for a file that cannot be read or written; `overloaded` if other processes
 *   keep the file locked for 10 seconds.
 */
export async function revokeKey(path: string, name: string): Promise<void> {
  await changeKeys(path, false, (keys) => {
    const left = keys.filter((key) => key.name !== name);
    if (left.length === keys.length) throw new DecideError("invalid_request", `${path} has no key of this name.`);
    return left;
  });
}

/**
 * A warning if other users of the machine may read or write the file; undefined if all is well. Its group may read it: a service may run as a user of
 * its own. The file holds no secrets, but who writes it can let anyone in.
 * @throws the system's error
 */
export async function warningOf(path: string): Promise<string | undefined> {
  const { mode } = await stat(path);
  // On Windows the mode says nothing.
  if (process.platform === "win32" || (mode & OTHERS_MODE) === 0) return undefined;
  const may = (mode & OTHERS_WRITE) === 0 ? "read" : "write";
  return `Other users of this machine may ${may} the key file ${path} (its mode is ${(mode & 0o777).toString(8)}). Give it the mode 600.`;
}

async function readBytes(path: string, code: "invalid_request" | "backend_unavailable"): Promise<Buffer> {
  try {
    return await readRegularFile(path);
  } catch (cause) {
    throw new DecideError(code, `The key file ${path} cannot be read: ${whyUnreadable(cause)}.`, { cause });
  }
}

function parseKeyFile(path: string, bytes: Buffer): ApiKey[] {
  const root = new Field(parseJsonFile(`The key file ${path}`, bytes), ["file"]);
  let keys: ApiKey[] = [];
  if (root.isObject("an object with keys")) {
    const others = Object.keys(root.value as object).filter((name) => name !== "keys").length;
    // They would be lost when a key is added.
    if (others > 0) root.refuse(`must hold keys and nothing else, but has other fields (${others})`, "unknown_field");
    keys = readKeys(new Field(root.get("keys").value, ["keys"], root.issues));
  }
  if (root.issues.length > 0) throw invalidKeys(`The key file ${path} is`, root.issues);
  return keys;
}

async function changeKeys(path: string, mayBeNew: boolean, change: (keys: readonly ApiKey[]) => readonly ApiKey[]): Promise<void> {
  // A link stays a link: its target is locked and replaced.
  const file = await realpath(path).catch((error: unknown) => {
    if (mayBeNew && isMissing(error)) return path;
    throw unwritable(path, error);
  });
  try {
    await withFileLock(`${file}.lock`, async () => {
      const keys = await readKeyFile(file).catch((error: unknown) => {
        if (mayBeNew && DecideError.isInstance(error) && isMissing(error.cause)) return [];
        throw error;
      });
      await replaceFile(file, `${JSON.stringify({ keys: change(keys) }, null, 2)}\n`, OWNER_ONLY);
    });
  } catch (error) {
    throw DecideError.isInstance(error) ? error : unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): DecideError {
  const why = isMissing(cause) ? "there is no such file or folder" : (whyUnwritable(cause) ?? whyUnreadable(cause));
  return new DecideError("invalid_request", `The key file ${path} cannot be changed: ${why}.`, { cause });
}

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

/**
 * Reads a key file, and follows it while the program runs: reads all of it again and again, and compares its bytes. Comparing times and inode numbers would be
 * cheaper but is not reliable: some file systems store times in whole seconds. A file of 10,000 keys is read in 2 ms.
 * @throws {DecideError} `invalid_request` if the file cannot be read or is not valid.
 */
export async function watchKeyFile(path: string, options: WatchOptions): Promise<WatchedKeys> {
  const { intervalMs = 500, graceMs = 1000 } = options;
  /** The file's content when last read, valid or not; undefined if it could not be read. */
  let bytes: Buffer | undefined = await readBytes(path, "invalid_request");
  /** The current problem, which has already been reported. */
  let problem: DecideError | undefined;
  /** When the file could first not be read; undefined if it can. */
  let unreadSinceMs: number | undefined;
  let warned: string | undefined;
  const ring = createKeys(parseKeyFile(path, bytes));

  /** Warns once of each mode that lets other users at the file. */
  const warnOf = (warning: string | undefined): void => {
    if (warning !== undefined && warning !== warned) options.onWarning?.(warning);
    warned = warning;
  };

  warnOf(await warningOf(path).catch(() => undefined));
  const watcher = watch(async () => {
    const startMs = performance.now();
    const before = problem;
    let isRead = false;
    try {
      const found = await readBytes(path, "backend_unavailable").catch((error: unknown) => {
        bytes = undefined;
        unreadSinceMs ??= startMs;
        throw error;
      });
      unreadSinceMs = undefined;
      isRead = bytes?.equals(found) !== true;
      bytes = found;
      if (isRead) {
        ring.replace(parseKeyFile(path, found));
        problem = undefined;
      }
    } catch (error) {
      if (!DecideError.isInstance(error)) throw error;
      problem = error;
    }
    const now = problem;
    const warning = await warningOf(path).catch(() => undefined);
    return () => {
      if (now !== undefined && now.message !== before?.message) options.onError(now);
      if (now === undefined && isRead) options.onChange?.(ring.size);
      warnOf(warning);
    };
  }, intervalMs);
  return {
    ...watcher,
    get size() {
      return ring.size;
    },
    async find(secret) {
      if (unreadSinceMs === undefined || performance.now() - unreadSinceMs <= graceMs) return ring.find(secret);
      // For clients, so without the path.
      const message = "The service cannot read its keys at the moment, so it lets nobody in. Try again later, or tell its operator.";
      throw new DecideError("backend_unavailable", message, { retryable: true, cause: problem });
    },
  };
}
