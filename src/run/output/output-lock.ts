import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { CommandFailed } from "../../cli/command-failed.ts";
import { isRunning, withFileLock } from "../../serve/keys/file-lock.ts";

/** Who writes an output. Every run has its own `id`. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly id: string;
}

const BEAT_MS = 5_000;
/** A lock that nobody has touched for so long is left over, from a machine that is gone perhaps. */
const STALE_MS = 60_000;

/**
 * Sees that no two runs write one output. A lock is held for hours, also on shared folders: so its file is touched again and again, and one that is not
 * is left over. That of a process of this machine that has died is taken over at once.
 */
export class OutputLock {
  readonly #path: string;
  readonly #id: string;
  readonly #timer: NodeJS.Timeout;

  private constructor(path: string, id: string) {
    this.#path = path;
    this.#id = id;
    this.#timer = setInterval(() => void this.#touch(), BEAT_MS).unref();
  }

  /** @throws {CommandFailed} if another run writes it. */
  static async take(out: string): Promise<OutputLock> {
    const path = `${out}.lock`;
    const holder: Holder = { pid: process.pid, host: hostname(), id: randomUUID() };
    await withFileLock(`${path}.taking`, async () => {
      const other = await holderOf(path);
      if (other !== undefined && (await isHeld(path, other)))
        throw new CommandFailed(
          `Another run is writing ${out}: process ${other.pid} on ${other.host}. Wait for it, or name another file. If it is gone, its lock ends in a minute.`,
        );
      const draft = `${path}.draft`;
      await writeFile(draft, JSON.stringify(holder));
      await rename(draft, path);
    });
    return new OutputLock(path, holder.id);
  }

  /** @throws {CommandFailed} if another run took the lock: this one has been asleep, for instance. */
  async check(): Promise<void> {
    if ((await holderOf(this.#path))?.id !== this.#id)
      throw new CommandFailed(
        `Another run has taken ${this.#path}: this one was asleep, or could not reach the folder. Let the other one go on.`,
      );
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if ((await holderOf(this.#path).catch(() => undefined))?.id === this.#id) await rm(this.#path, { force: true });
  }

  async #touch(): Promise<void> {
    const now = new Date();
    // Where it fails, writing fails, too, and says so.
    await utimes(this.#path, now, now).catch(() => undefined);
  }
}

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Holder;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A process with this one's number was in a container that was started again: there, numbers begin anew. */
async function isHeld(path: string, { pid, host }: Holder): Promise<boolean> {
  if (host === hostname() && (pid === process.pid || !isRunning(pid))) return false;
  const { mtimeMs } = await stat(path);
  return Date.now() - mtimeMs < STALE_MS;
}
