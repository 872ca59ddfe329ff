import { rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { holderOf, isRunning, thisProcess } from "../../files/lock.ts";
import type { Holder } from "../../files/lock.ts";
import { ToolError } from "../tool-error.ts";

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

  /** @throws {ToolError} if another run writes it. */
  static async take(out: string): Promise<OutputLock> {
    const path = `${out}.lock`;
    const holder = thisProcess();
    while (!(await creates(path, holder))) {
      const other = await holderOf(path);
      if (await isHeld(path, other)) throw stillHeld(out, other);
      await moveAway(path, holder.id);
    }
    return new OutputLock(path, holder.id);
  }

  /** @throws {ToolError} if this run no longer holds it: it has been asleep, or its folder is gone. */
  async check(): Promise<void> {
    const holder = await holderOf(this.#path);
    if (holder === undefined)
      throw new ToolError(`${this.#path} is gone, and perhaps its whole folder. Once that is back, the same command goes on.`);
    if (holder.id !== this.#id)
      throw new ToolError(`Another run has taken ${this.#path}, since this one was asleep for a minute. Let the other one go on.`);
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

async function creates(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes what is left over. Of several runs that do so at once, one may remove the lock that another has just taken: that one finds out before it writes. */
async function moveAway(path: string, id: string): Promise<void> {
  const away = `${path}.${id}`;
  await rename(path, away).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  });
  await rm(away, { force: true });
}

/** A process with this one's number was in a container that was started again: there, numbers begin anew. */
async function isHeld(path: string, other: Holder | undefined): Promise<boolean> {
  if (other?.host === hostname() && (other.pid === process.pid || !isRunning(other.pid))) return false;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < STALE_MS;
}

function stillHeld(out: string, other: Holder | undefined): ToolError {
  const by = other === undefined ? "" : `: process ${other.pid} on ${other.host}`;
  return new ToolError(`Another run is writing ${out}${by}. Wait for it, or name another file. If it is gone, its lock ends in a minute.`);
}
