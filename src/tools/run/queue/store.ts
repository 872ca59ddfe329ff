import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { AS_USUAL, replaceFile } from "../../../files/replace.ts";

/** Where a run's chunks are until they are joined: texts by their names. All machines see the same. A bucket of objects could be one, too. */
export interface Store {
  /** Undefined if there is none of that name. */
  get(name: string): Promise<string | undefined>;
  has(name: string): Promise<boolean>;
  /** Whoever reads it sees all of it or nothing, whatever happens to this process or machine. */
  put(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Removes everything. Nothing can be put there any more. */
  clear(): Promise<void>;
}

/** A folder that all machines share. */
export class FolderStore implements Store {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Makes the folder, unless it is there. */
  static async make(path: string): Promise<FolderStore> {
    await mkdir(path, { recursive: true });
    return new FolderStore(path);
  }

  get(name: string): Promise<string | undefined> {
    return orAbsent(readFile(join(this.#path, name), "utf8"));
  }

  async has(name: string): Promise<boolean> {
    return (await orAbsent(stat(join(this.#path, name)))) !== undefined;
  }

  put(name: string, text: string): Promise<void> {
    return replaceFile(join(this.#path, name), text, AS_USUAL);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#path, name), { force: true });
  }

  async clear(): Promise<void> {
    // A worker may be writing there.
    await rm(this.#path, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function orAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
