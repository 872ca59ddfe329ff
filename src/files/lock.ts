import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { DecideError } from "../errors.ts";

/** The content of a lock file: who holds the lock. Every acquisition has its own `id`. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly id: string;
}

const RETRY_MS = 20;
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Runs one task at a time among all processes that use the same lock file. The lock of a process that died on this machine is taken over at once.
 * @param timeoutMs how long to wait for the lock. Default: 10,000
 * @throws {DecideError} `overloaded` if the lock is still held after that.
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
  const holder = thisProcess();
  // Written under another name first, then linked: so a lock file always says who holds it.
  const draft = `${lock}.${holder.id}`;
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600, flag: "wx" });
  try {
    while (!(await isMade(link(draft, lock)))) {
      const other = await holderOf(lock);
      if (other !== undefined && !isAlive(other)) await removeStale(lock, other, endMs - performance.now());
      else if (performance.now() > endMs) throw stillHeld(lock, other);
      // Random, so that waiting processes do not retry in step.
      else await sleep(RETRY_MS * (0.5 + Math.random()));
    }
  } finally {
    await rm(draft);
  }
}

/**
 * Removes the lock of a holder that died. When several processes do so at once, none may remove the new lock of another. So a process removes the
 * stale lock only under a second lock, whose name has the id of the dead holder's acquisition.
 */
async function removeStale(lock: string, dead: Holder, timeoutMs: number): Promise<void> {
  const remove = async (): Promise<void> => {
    if ((await holderOf(lock))?.id === dead.id) await rm(lock);
  };
  await withFileLock(`${lock}.stale-${dead.id}`, remove, timeoutMs);
}

/** Whether a new file was made; false if there is one already. */
export async function isMade(file: Promise<void>): Promise<boolean> {
  try {
    await file;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** This process, as the holder of a new acquisition. */
export function thisProcess(): Holder {
  return { pid: process.pid, host: hostname(), id: randomUUID() };
}

/** Undefined if there is no lock, if its holder is still writing it, or if the file was not written by us. */
export async function holderOf(lock: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(lock, "utf8")) as Holder;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isAlive({ pid, host }: Holder): boolean {
  // Nothing is known about processes on another machine that shares the folder.
  return host !== hostname() || isRunning(pid);
}

/** Whether a process of this machine exists, whoever's it is. */
export function isRunning(pid: number): boolean {
  try {
    // Signal 0 sends nothing: it checks whether the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and is another user's.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function stillHeld(lock: string, other: Holder | undefined): DecideError {
  const by = other === undefined ? "" : ` by process ${other.pid} on ${other.host}`;
  return new DecideError("overloaded", `${lock} is still held${by}. Try again; if no umpire process is running there, remove that file.`);
}
