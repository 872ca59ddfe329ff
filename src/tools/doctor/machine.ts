import { availableParallelism, totalmem } from "node:os";
import { cLibrary } from "../../library/platform/node/telemetry.ts";
import type { Finding } from "./finding.ts";
import { processorLimit } from "./processor-limit.ts";

/** What a loaded model needs in int8: so much for Node and the runtime, and for each byte of the pack's files. */
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
  const [found, wanted] = [version, least].map((text) => text.split(".").map(Number)) as [number[], number[]];
  const first = wanted.findIndex((number, i) => found[i] !== number);
  return first === -1 || (found[first] ?? 0) > (wanted[first] ?? 0);
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
  const text = `${count} for this program${limit === undefined ? "" : `, limited to the time of ${rounded(limit)}`}; a run of the model uses ${threads === 1 ? "1 thread" : `${threads} threads`}`;
  const fitting = Math.max(1, Math.floor(most));
  if (threads <= fitting) return { name: "processors", status: "ok", text, facts };
  const advice = `The threads of a run wait for each other, and here they do not all run at once. Set the option threads to ${fitting} (--threads ${fitting}).`;
  return { name: "processors", status: "note", text, advice, facts };
}

/** @param packBytes of the default model */
export function checkMemory(packBytes: number): Finding {
  const neededBytes = NEEDED_BYTES + NEEDED_PER_BYTE * packBytes;
  const totalBytes = totalmem();
  const availableBytes = process.availableMemory();
  // Where there is no limit, Node says 0 or more than there is.
  const constrained = process.constrainedMemory();
  const limitBytes = constrained > 0 && constrained < totalBytes ? constrained : undefined;
  const limit = limitBytes === undefined ? "no limit for this program" : `this program is limited to ${gigabytes(limitBytes)}`;
  const isEnough = availableBytes >= neededBytes;
  return {
    name: "memory",
    status: isEnough ? "ok" : "note",
    text: `${gigabytes(totalBytes)}, ${gigabytes(availableBytes)} available, ${limit}`,
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

function rounded(number: number): number {
  return Number(number.toFixed(2));
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
