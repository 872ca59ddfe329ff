import { realpathSync, statSync } from "node:fs";
import { DecideError } from "../../../../errors.ts";

/** What SQLite keeps beside a file while it is open. Without them, what was written last is lost. */
const SUFFIXES = ["-wal", "-shm"];

/**
 * Whether the files of an open database are still at their paths. A file that was deleted, moved or replaced can still be written, but nobody will
 * ever read it.
 */
export class SameFiles {
  readonly #paths: readonly string[];
  readonly #opened: readonly Identity[];

  /**
   * @param path that of the database, which is open in WAL mode and has been read
   * @throws {DecideError} `backend_unavailable` if the database has a second name (a hard link).
   */
  constructor(path: string) {
    // SQLite follows symbolic links, and keeps the other files beside the real one. The link itself is checked, too.
    const real = realpathSync(path);
    if (statSync(real).nlink > 1) throw manyNames();
    this.#paths = [path, ...SUFFIXES.map((suffix) => real + suffix)];
    this.#opened = this.#paths.map(identityOf);
  }

  /** @throws {DecideError} `backend_unavailable` if one of the files is no longer at its path. Takes some microseconds. */
  check(): void {
    if (!this.#paths.every((path, i) => identityOf(path) === this.#opened[i])) throw gone();
  }
}

/** Device and inode of a file, or NaN, which equals nothing: there is no such file, or nobody may look. */
type Identity = string | number;

function identityOf(path: string): Identity {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return NaN;
  }
}

/** Programs that open the file by different names would not see what the others wrote, and would damage it. */
function manyNames(): DecideError {
  const message = "The file of credits has more than one name (hard links). Remove the others; make copies with cp instead.";
  return new DecideError("backend_unavailable", message);
}

function gone(): DecideError {
  return new DecideError(
    "backend_unavailable",
    "The file of credits, or its -wal or -shm file, is no longer at its place: it was deleted, moved or replaced. Nothing is charged any more. Put it back, or stop the programs that use it, restore it from a backup, and start them again.",
  );
}
