import { closeSync, openSync, readFileSync, readdirSync } from "node:fs";
import { readFile, readdir, stat } from "node:fs/promises";
import { devNull } from "node:os";

/** The process, or the system, has no file descriptor left. */
const NONE_LEFT: readonly unknown[] = ["EMFILE", "ENFILE"];

/** The code of the error for a pipe or a device, which may never end. */
export const NOT_A_FILE = "ENOTFILE";

/** Reads files and folders also when connections have used up all file descriptors: it keeps one in reserve. */
export class FileReader {
  #reserve = openReserve();

  /** @throws the system's error; one with the code `NOT_A_FILE` for what is neither a file nor a folder. */
  async read(path: string): Promise<Buffer> {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory()) throw Object.assign(new Error("not a file"), { code: NOT_A_FILE });
    return this.#try(
      () => readFile(path),
      () => readFileSync(path),
    );
  }

  /** The names of what is in a folder. @throws the system's error */
  list(folder: string): Promise<string[]> {
    return this.#try(
      () => readdir(folder),
      () => readdirSync(folder),
    );
  }

  close(): void {
    if (this.#reserve !== undefined) closeSync(this.#reserve);
    this.#reserve = undefined;
  }

  /** @param atOnce the same without a pause: in between, a new connection would take the descriptor of the reserve */
  async #try<T>(read: () => Promise<T>, atOnce: () => T): Promise<T> {
    // Once others had time to close some.
    this.#reserve ??= openReserve();
    try {
      return await read();
    } catch (error) {
      if (!NONE_LEFT.includes((error as NodeJS.ErrnoException).code)) throw error;
    }
    this.close();
    try {
      return atOnce();
    } finally {
      this.#reserve = openReserve();
    }
  }
}

function openReserve(): number | undefined {
  try {
    return openSync(devNull, "r");
  } catch {
    // If there is none left, reading says so.
    return undefined;
  }
}
