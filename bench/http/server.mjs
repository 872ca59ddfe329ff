// Starts `umpire serve` in its own process.
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PATH = "/decision/v1/model";
const READY_TIMEOUT_MS = 60_000;

/** Starts the server and waits until it is ready. Reads its log continuously, like a log collector. */
export async function startServer(flags = []) {
  const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
  const child = spawn(process.execPath, [cli, "serve", "--port", "0", ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    child.once("exit", (code, signal) => reject(new Error(`umpire serve ended with ${signal ?? code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const listening = line.includes('"listening"') && JSON.parse(line).url;
      if (listening) resolve(listening);
    });
  });
  await untilReady(url);
  return {
    url: url + PATH,
    residentBytes: () => residentBytes(child.pid),
    waiting: async () => gauge(await (await fetch(`${url}/metrics`)).text(), "umpire_requests_waiting"),
    running: async () => gauge(await (await fetch(`${url}/metrics`)).text(), "umpire_requests_running"),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const [code] = await ended;
      return code;
    },
  };
}

/** Creates a key file, in its own folder, with a new key for each name. */
export async function makeKeyFile(names) {
  const folder = await mkdtemp(join(tmpdir(), "umpire-keys-"));
  const secrets = Object.fromEntries(names.map((name) => [name, randomBytes(32).toString("base64url")]));
  const keys = names.map((name) => ({ name, sha256: createHash("sha256").update(secrets[name]).digest("hex") }));
  const path = join(folder, "keys.json");
  await writeFile(path, JSON.stringify({ keys }));
  return { path, secrets, remove: () => rm(folder, { recursive: true }) };
}

async function untilReady(url) {
  for (const endMs = performance.now() + READY_TIMEOUT_MS; performance.now() < endMs; await sleep(100)) {
    const { ok } = await fetch(`${url}/readyz`);
    if (ok) return;
  }
  throw new Error(`The server was not ready after ${READY_TIMEOUT_MS} ms`);
}

async function residentBytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) * 1024;
}

function gauge(text, name) {
  return Number(new RegExp(`^${name} (.+)$`, "m").exec(text)[1]);
}
