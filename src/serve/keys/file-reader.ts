import { closeSync, openSync, readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { devNull } from "node:os";

/** The process, or the system, has no file descriptor left. */
const NONE_LEFT: readonly unknown[] = ["EMFILE", "ENFILE"];

/** The code of the error for a pipe or a device, which may never end. */
export const NOT_A_FILE = "ENOTFILE";

/** Reads files also when connections have used up all file descriptors: it keeps one in reserve. */
export class FileReader {
  #reserve = openReserve();

  /** @throws the system's error; one with the code `NOT_A_FILE` for what is neither a file nor a folder. */
  async read(path: string): Promise<Buffer> {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory()) throw Object.assign(new Error("not a file"), { code: NOT_A_FILE });
    // Once others had time to close some.
    this.#reserve ??= openReserve();
    try {
      return await readFile(path);
    } catch (error) {
      if (!NONE_LEFT.includes((error as NodeJS.ErrnoException).code)) throw error;
      return this.#readInReserve(path);
    }
  }

  close(): void {
    if (this.#reserve !== undefined) closeSync(this.#reserve);
    this.#reserve = undefined;
  }

  /** Without a pause: in between, a new connection would take the descriptor. */
  #readInReserve(path: string): Buffer {
    this.close();
    try {
      return readFileSync(path);
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
