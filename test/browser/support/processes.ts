import { readFileSync, readdirSync } from "node:fs";

/** Lists the process ids of the test's own browsers, by process type. Linux only. */
export function processes(type: "renderer" | "gpu-process"): number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && contentOf(`/proc/${pid}/cmdline`).includes(`--type=${type}`) && isOurs(pid))
    .map(Number);
}

export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(contentOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** Whether the process descends from this one. */
function isOurs(pid: string): boolean {
  for (let at = pid; at !== "" && at !== "0"; at = /^PPid:\s*(\d+)$/m.exec(contentOf(`/proc/${at}/status`))?.[1] ?? "") {
    if (at === String(process.pid)) return true;
  }
  return false;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process ended in the meantime.
    return "";
  }
}
