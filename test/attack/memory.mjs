import { readFile } from "node:fs/promises";

/** What takes more than this is killed. */
export const LARGEST_BYTES = 1.2e9;

/** Memory of a process, as Linux tells it. */
export async function residentBytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) * 1024;
}
