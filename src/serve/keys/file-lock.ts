import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { DecideError } from "../../errors.ts";

/** Who holds a lock: what the lock's file holds. `id` is of one holding, so that no two are alike. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly id: string;
}

const RETRY_MS = 20;
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Runs one task at a time for a lock file, in all processes that use it. A process that died while it held the lock does not hold it any more.
 * @param timeoutMs how long to wait for another holder. Default: 10,000.
 * @throws {DecideError} `overloaded` when another one holds it for longer.
 */
export async function withFileLock<T>(lock: string, task: () => Promise<T>, timeoutMs: number = DEFAULT_TIMEOUT_MS): Promise<T> {
  await acquire(lock, timeoutMs);
  try {
    return await task();
  } finally {
    await rm(lock, { force: true });
  }
}

async function acquire(lock: string, timeoutMs: number): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  const holder: Holder = { pid: process.pid, host: hostname(), id: randomUUID() };
  // Written first and linked then, so that nobody meets a lock that does not say yet whose it is.
  const draft = `${lock}.${holder.id}`;
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600, flag: "wx" });
  try {
    while (!(await links(draft, lock))) {
      const other = await holderOf(lock);
      if (other !== undefined && !isAlive(other)) await removeStale(lock, other, endMs - performance.now());
      else if (performance.now() > endMs) throw stillHeld(lock, other);
      // Not in step with others who wait.
      else await sleep(RETRY_MS * (0.5 + Math.random()));
    }
  } finally {
    await rm(draft);
  }
}

/**
 * Removes the lock of a holder that died. Two who do so at once must not remove each other's new lock: who removes holds a lock of that one
 * holding, under which the stale lock, if it is still there, can only stay or go.
 */
async function removeStale(lock: string, dead: Holder, timeoutMs: number): Promise<void> {
  const removing = async (): Promise<void> => {
    if ((await holderOf(lock))?.id === dead.id) await rm(lock);
  };
  await withFileLock(`${lock}.stale-${dead.id}`, removing, timeoutMs);
}

async function links(draft: string, lock: string): Promise<boolean> {
  try {
    await link(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Undefined where nobody holds the lock any more, or the file is none of ours. */
async function holderOf(lock: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(lock, "utf8")) as Holder;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isAlive({ pid, host }: Holder): boolean {
  // Of another machine that shares the folder nothing is known.
  if (host !== hostname()) return true;
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function stillHeld(lock: string, other: Holder | undefined): DecideError {
  const whose = other === undefined ? "" : ` by process ${other.pid} on ${other.host}`;
  return new DecideError("overloaded", `${lock} is still held${whose}. Try again; if nothing of umpire runs there, remove that file.`);
}
