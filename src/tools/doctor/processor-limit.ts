import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * How many processors Linux lets this program use at most, by the limits of its control groups: 0.5 for half of one. Node counts processors
 * without these limits.
 * @param root folder that holds proc/ and sys/
 * @returns undefined if there is no limit, or if it is unknown
 */
export async function processorLimit(root = "/"): Promise<number | undefined> {
  const read = (...path: string[]): Promise<string> => readFile(join(root, ...path), "utf8").catch(() => "");
  const limits: number[] = [];
  for (const line of (await read("proc/self/cgroup")).split("\n")) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/u.exec(line) ?? [];
    if (controllers === undefined || path === undefined) continue;
    if (controllers === "") for (const folder of withParents(path)) limits.push(quotient(await read("sys/fs/cgroup", folder, "cpu.max")));
    if (!controllers.split(",").includes("cpu")) continue;
    for (const folder of withParents(path)) {
      const file = (name: string): Promise<string> => read("sys/fs/cgroup", controllers, folder, `cpu.cfs_${name}_us`);
      limits.push(quotient(`${(await file("quota")).trim()} ${await file("period")}`));
    }
  }
  const smallest = Math.min(...limits.filter((limit) => limit > 0));
  return Number.isFinite(smallest) ? smallest : undefined;
}

/** A limit of any folder above holds, too. */
function withParents(path: string): string[] {
  const names = path.split("/").filter((name) => name !== "");
  return [...names.keys(), names.length].map((depth) => names.slice(0, depth).join("/"));
}

/** "50000 100000": 50 ms of every 100 ms. NaN or less than 0 for no limit. */
function quotient(quotaAndPeriod: string): number {
  const [quota, period] = quotaAndPeriod.trim().split(/\s+/u).map(Number);
  return (quota ?? NaN) / (period ?? NaN);
}
