// Runs a program that uses the package, in its own process, with limits.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import { killedAtEnd } from "./clean-up.mjs";
import { LARGEST_BYTES, residentBytes } from "./memory.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MEMORY_EVERY_MS = 20;

/** Runs the source of a module. @returns how it ended: { exit, stdout, stderr, peakBytes } */
export async function runProgram(source, { args = [], env = process.env, limitMs = 30_000 } = {}) {
  const child = killedAtEnd(
    spawn(process.execPath, ["--input-type=module", "--eval", source, "--", ...args], {
      cwd: ROOT,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  let peakBytes = 0;
  let why;
  const kill = (reason) => {
    why = reason;
    child.kill("SIGKILL");
  };
  const late = setTimeout(() => kill(`no end in ${limitMs / 1000} s`), limitMs);
  const watching = setInterval(async () => {
    const bytes = await residentBytes(child.pid).catch(() => 0);
    peakBytes = Math.max(peakBytes, bytes);
    if (bytes > LARGEST_BYTES) kill("more than 1.2 GB");
  }, MEMORY_EVERY_MS);
  const [[code, signal], stdout, stderr] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  clearTimeout(late);
  clearInterval(watching);
  return { exit: why ?? signal ?? code, stdout, stderr, peakBytes };
}
