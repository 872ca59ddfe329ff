import type { Screen } from "../cli/output/screen.ts";
import { bytesText, fit, oneLine, wrap } from "../cli/output/terminal-text.ts";
import { readFile } from "node:fs/promises";
import { arch, availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { cLibrary } from "../../library/platform/node/telemetry.ts";

export interface Finding {
  /** The thing checked, in a word or two. Unique in a report. */
  readonly name: string;
  /** `note`: it works, but not as well as it could, or not everywhere. `problem`: something is wrong. */
  readonly status: "ok" | "note" | "problem";
  readonly text: string;
  readonly advice?: string;
  /** The same for programs. What is unknown is null. */
  readonly facts?: { readonly [name: string]: string | number | boolean | null | readonly string[] };
}

const SIGNS = { ok: ["green", "✓"], note: ["yellow", "!"], problem: ["red", "✗"] } as const;
const NAME_CELLS = 15;

export function showFinding({ name, status, text, advice }: Finding, { width, paint }: Screen): string {
  const [style, sign] = SIGNS[status];
  const indent = " ".repeat(NAME_CELLS + 3);
  const room = width - indent.length;
  const [first = "", ...more] = wrap(oneLine(text), room);
  const lines = [`${paint(style, sign)} ${paint("bold", fit(name, NAME_CELLS))} ${first}`, ...more.map((line) => indent + line)];
  if (advice !== undefined) lines.push(...wrap(oneLine(advice), room).map((line) => indent + paint(style, line)));
  return `${lines.join("\n")}\n`;
}

/** Memory of a loaded model in int8: so much for Node and the runtime, and for each byte of the pack's files. */
const [NEEDED_BYTES, NEEDED_PER_BYTE] = [100e6, 2];

/** @param range the versions that the package states: ">=20.19" */
export function checkNode(range: string): Finding {
  const { node } = process.versions;
  const isSupported = isAtLeast(node, range.replace(/^>=/u, ""));
  return {
    name: "node",
    status: isSupported ? "ok" : "problem",
    text: `${node}; ${range} is supported`,
    ...(!isSupported && { advice: "Install a newer Node: https://nodejs.org" }),
    facts: { version: node, supported: isSupported },
  };
}

/** Compares major, minor and patch versions. What the least version does not name may be anything. */
export function isAtLeast(version: string, least: string): boolean {
  return version.localeCompare(least, "en", { numeric: true }) >= 0;
}

export function checkSystem(): Finding {
  const { platform, arch } = process;
  const libc = platform === "linux" ? (cLibrary() ?? "C library unknown") : undefined;
  const text = `${platform} ${arch}${libc === undefined ? "" : `, ${libc}`}`;
  return { name: "system", status: "ok", text, facts: { platform, arch, libc: libc ?? null } };
}

/** @param threads of one run of the model, unless the caller sets another number */
export async function checkProcessors(threads: number): Promise<Finding> {
  const count = availableParallelism();
  const limit = await processorLimit();
  const facts = { count, limit: limit ?? null, threads };
  const most = limit === undefined ? count : Math.min(count, limit);
  const text = `${count} for this program${limit === undefined ? "" : `, limited to the time of ${Number(limit.toFixed(2))}`}; a run of the model uses ${threads === 1 ? "1 thread" : `${threads} threads`}`;
  const fitting = Math.max(1, Math.floor(most));
  if (threads <= fitting) return { name: "processors", status: "ok", text, facts };
  const advice = `The threads of a run wait for each other, and here they do not all run at once. Set the option threads to ${fitting} (--threads ${fitting}).`;
  return { name: "processors", status: "note", text, advice, facts };
}

export function checkMemory(packBytes: number): Finding {
  const neededBytes = NEEDED_BYTES + NEEDED_PER_BYTE * packBytes;
  const totalBytes = totalmem();
  const availableBytes = process.availableMemory();
  // Where there is no limit, Node says 0 or more than there is.
  const constrained = process.constrainedMemory();
  const limitBytes = constrained > 0 && constrained < totalBytes ? constrained : undefined;
  const limit = limitBytes === undefined ? "no limit for this program" : `this program is limited to ${bytesText(limitBytes)}`;
  const isEnough = availableBytes >= neededBytes;
  return {
    name: "memory",
    status: isEnough ? "ok" : "note",
    text: `${bytesText(totalBytes)}, ${bytesText(availableBytes)} available, ${limit}`,
    ...(!isEnough && { advice: `The model needs about ${Math.round(neededBytes / 1e7)}0 MB. Close other programs, or raise the limit.` }),
    facts: { totalBytes, availableBytes, limitBytes: limitBytes ?? null },
  };
}

/** Environment variables that change what umpire or Node does. Their values may be secrets and are not shown. */
export function checkSettings(env: NodeJS.ProcessEnv): Finding {
  const set = Object.keys(env).filter((name) => name === "NODE_OPTIONS" || /^(?:UMPIRE|ORT)_/u.test(name));
  const text = set.length === 0 ? "no environment variable changes anything" : `set are ${set.sort().join(", ")}; values are not shown`;
  return { name: "settings", status: "ok", text, facts: { set } };
}

const FEATURES: readonly (readonly [feature: string, names: readonly string[]])[] = [
  ["AVX2", ["avx2"]],
  ["AVX-512", ["avx512f"]],
  ["VNNI", ["avx512_vnni", "avx_vnni"]],
  ["AMX", ["amx_int8"]],
  ["NEON", ["neon", "asimd"]],
  ["dot products", ["asimddp"]],
  ["int8 matrix products", ["i8mm"]],
];

export async function checkProcessor(): Promise<Finding> {
  const model = cpus()[0]?.model.trim() ?? "";
  const cpuinfo = await readFile("/proc/cpuinfo", "utf8").catch(() => undefined);
  const features = featuresFrom(cpuinfo, arch());
  const known = model === "" || model === "unknown" ? null : model;
  const listed =
    features === undefined ? "features unknown on this system" : features.join(", ") || "none of the features that speed it up";
  return {
    name: "processor",
    status: "ok",
    text: `${known ?? "model unknown"}: ${listed}`,
    facts: { model: known, features: features ?? null },
  };
}

/**
 * @param cpuinfo the text of Linux's /proc/cpuinfo, if there is one
 * @param architecture Node's name of it
 * @returns undefined if they are unknown
 */
export function featuresFrom(cpuinfo: string | undefined, architecture: string): readonly string[] | undefined {
  const line = /^(?:flags|Features)\s*:(.*)$/mu.exec(cpuinfo ?? "")?.[1];
  // Every 64-bit ARM processor has NEON. What else it has, only Linux tells.
  if (line === undefined) return architecture === "arm64" ? ["NEON"] : undefined;
  const flags = new Set(line.trim().split(/\s+/u));
  return FEATURES.filter(([, names]) => names.some((name) => flags.has(name))).map(([feature]) => feature);
}

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

function withParents(path: string): string[] {
  const names = path.split("/").filter((name) => name !== "");
  return [...names.keys(), names.length].map((depth) => names.slice(0, depth).join("/"));
}

/** "50000 100000": 50 ms of every 100 ms. NaN or less than 0 for no limit. */
function quotient(quotaAndPeriod: string): number {
  const [quota, period] = quotaAndPeriod.trim().split(/\s+/u).map(Number);
  return (quota ?? NaN) / (period ?? NaN);
}
