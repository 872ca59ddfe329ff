import { readFileSync, readdirSync } from "node:fs";

/** Descriptors that the server needs besides its connections: for the model's worker and one that replaces it, the key file, the ledger, `/metrics`. */
const RESERVE = 32;

/** The number of files and connections that this process may have open; undefined where the system does not say, and if there is no limit. */
export function openFilesLimit(): number | undefined {
  return softLimit(contentOf("/proc/self/limits"));
}

/** @param limits the text of `/proc/<pid>/limits` */
export function softLimit(limits: string): number | undefined {
  const [, soft] = /^Max open files +(\d+) /mu.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/** @throws the system's error with the code `EMFILE` if no descriptor is left to look with */
export function openFiles(): number {
  // Without the one that reads the folder.
  return readdirSync("/proc/self/fd").length - 1;
}

/** The number of connections that the server can have open at a time: what the limit leaves beside what is open now. At least 1. */
export function affordableConnections(limit = openFilesLimit()): number {
  return limit === undefined ? Infinity : Math.max(1, limit - openFiles() - RESERVE);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Not Linux.
    return "";
  }
}
