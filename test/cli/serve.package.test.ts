import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLI, cleanEnv, finished, inTerminal, shell, umpire } from "./run-cli.ts";
import type { Run } from "./run-cli.ts";
import { UNHURRIED } from "../support/unhurried.ts";

const SECRET = "sk-marker-of-the-only-key";
/** A user who owns no files. Only root can switch to it. */
const NOBODY = 65_534;
const LONG = "the parcel came late ".repeat(600);
const LONGER = LONG.repeat(5);

interface Server {
  readonly child: ChildProcess;
  readonly run: Promise<Run>;
  readonly url: string;
}

async function started(args: readonly string[], env: Readonly<Record<string, string>> = {}, options: object = {}): Promise<Server> {
  const child = spawn(process.execPath, [CLI, "serve", "--port", "0", "--threads", "1", "--run-ms", String(UNHURRIED.runMs), ...args], {
    env: cleanEnv(env),
    ...options,
  });
  const run = finished(child);
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", () => {
      if (printed.includes('"ready"')) resolve();
    });
  });
  await Promise.race([run, ready]);
  const [, url = ""] = /"url":"([^"]+)"/u.exec(printed) ?? [];
  return { child, run, url };
}

function ask(url: string, state: string, secret?: string): Promise<Response> {
  const body = JSON.stringify({ model: "latest", state, questions: { late: { type: "noul", instructions: "Did it come late?" } } });
  const headers = { "content-type": "application/json", ...(secret !== undefined && { authorization: `Bearer ${secret}` }) };
  return fetch(`${url}/decision/v1/model`, { method: "POST", headers, body });
}

describe("a server with one key, run by a user who may not write anywhere", () => {
  const isRoot = process.getuid?.() === 0;
  let server: Server;
  let folder = "";
  let before: string[] = [];
  beforeAll(async () => {
    before = await filesOf(NOBODY, tmpdir());
    folder = await mkdtemp(join(tmpdir(), "umpire-readonly-"));
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    server = await started([], { UMPIRE_API_KEY: SECRET, UMPIRE_HOST: "127.0.0.1" }, { cwd: isRoot ? "/" : folder, ...user });
  });
  afterAll(async () => {
    server.child.kill("SIGKILL");
    await rm(folder, { recursive: true });
  });

  test("answers only requests with the key", async () => {
    expect((await ask(server.url, "late")).status).toBe(401);
    expect((await ask(server.url, "late", `${SECRET}x`)).status).toBe(401);
    const response = await ask(server.url, "It came late.", SECRET);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ answers: { late: { type: "noul" } } });
  });

  test("on SIGTERM it finishes running requests, logs its end, and leaves no files behind", async () => {
    const asked = ask(server.url, LONG, SECRET);
    await expect.poll(async () => (await fetch(`${server.url}/metrics`)).text(), { interval: 2 }).toContain("umpire_requests_running 1");
    server.child.kill("SIGTERM");
    expect((await asked).status).toBe(200);
    const { code, stdout, stderr } = await server.run;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { message: string; key?: string });
    expect(lines.at(-1)).toMatchObject({ message: "closed", droppedRequests: 0 });
    expect(lines.some(({ key }) => key === "default")).toBe(true);
    expect(stdout).not.toContain(SECRET);
    if (isRoot) expect(await filesOf(NOBODY, tmpdir())).toEqual(before);
    expect(await readdir(folder)).toEqual([]);
  });
});

async function filesOf(uid: number, folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const owners = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ uid }) => uid,
        () => -1,
      ),
    ),
  );
  return names.filter((_, i) => owners[i] === uid);
}

test("requests that cannot finish in time are dropped, with exit code 1; without keys there is a warning in the log", async () => {
  const { child, run, url } = await started(["--shutdown-ms", "20"]);
  const asked = ask(url, LONGER).catch(() => "dropped");
  await expect.poll(async () => (await fetch(`${url}/metrics`)).text(), { interval: 2 }).toContain("umpire_requests_running 1");
  child.kill("SIGINT");
  expect(await asked).toBe("dropped");
  const { code, stdout } = await run;
  expect(code).toBe(1);
  expect(stdout).toContain('"droppedRequests":1');
  expect(stdout).toMatch(/"level":"warn".*authentication is off/u);
});

test("a second signal ends it at once", async () => {
  const { child, run, url } = await started([]);
  const asked = ask(url, LONGER).catch(() => "dropped");
  await expect.poll(async () => (await fetch(`${url}/metrics`)).text(), { interval: 2 }).toContain("umpire_requests_running 1");
  child.kill("SIGTERM");
  await expect.poll(() => fetch(url).catch(() => "refused")).toBe("refused");
  child.kill("SIGTERM");
  expect((await run).code).toBe(1);
  expect(await asked).toBe("dropped");
});

test("a port in use is explained", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await umpire(["serve", "--log-level", "silent"], { env: { UMPIRE_PORT: String(port) } });
  other.close();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `umpire: Port ${port} of 127.0.0.1 is in use. Choose another one with --port, or stop the program that uses it.\n`,
  });
});

test("a missing model ends it, with the reason", async () => {
  const { code, stdout, stderr } = await umpire(["serve", "--port", "0", "--model", "./no/such/folder"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^umpire: The folder that the option model names does not exist\./u);
  expect(stdout).toContain("the golden request failed");
});

describe.concurrent("a mistake on the command line ends it with exit code 2", () => {
  test.each([
    [["--port", "70000"], {}, /0 to 65535/u],
    [["--port", "http"], {}, /0 to 65535/u],
    [[], { UMPIRE_PORT: "x" }, /0 to 65535/u],
    [["--threads", "0"], {}, /1 or more/u],
    [["--max-waiting", "-1"], {}, /whole number/u],
    [["--deadline-ms", "1e3"], {}, /whole number/u],
    [["--base-path", "ai/"], {}, /basePath/u],
    [["--host", ""], {}, /host/u],
    [["--log-level", "loud"], {}, /debug/u],
    [["--tls-cert", "cert.pem"], {}, /both --tls-cert and --tls-key/u],
    [["--tls-cert", "no.pem", "--tls-key", "no.pem"], {}, /--tls-cert cannot be read: the system reports ENOENT/u],
    [["--keys", "no-such-keys.json"], {}, /no such file/u],
    [["--lessons", "no-such-folder"], {}, /^umpire: The lessons in no-such-folder cannot be read: there is no such folder\./u],
    [[], { UMPIRE_LESSONS: "no-such-folder" }, /there is no such folder/u],
    [[], { UMPIRE_LESSONS: "" }, /--lessons is empty/u],
    [["--keys", "keys.json"], { UMPIRE_API_KEY: SECRET }, /Use one or the other/u],
    [[], { UMPIRE_API_KEY: "" }, /UMPIRE_API_KEY is empty/u],
    [[], { UMPIRE_API_KEY: `${SECRET} and more` }, /UMPIRE_API_KEY/u],
    [[], { UMPIRE_KEYS: "" }, /--keys is empty/u],
    [[], { UMPIRE_METRICS_SECRET: "" }, /UMPIRE_METRICS_SECRET is empty/u],
    [["--metrics-by-key"], {}, /Set UMPIRE_METRICS_SECRET/u],
    [["--credits", "credits.db", "--price", "1/2"], {}, /Credits need keys/u],
    [["--credits", "credits.db"], { UMPIRE_API_KEY: SECRET }, /--price/u],
    [["--price", "1/2"], { UMPIRE_API_KEY: SECRET }, /--credits/u],
    [["--price", "1"], {}, /<in>\/<out>/u],
    [["--price", "0.0001/1"], {}, /three decimals/u],
    [["--price", "1/2", "--price", "3/4"], {}, /two prices/u],
    [["--cors-origin", "https://app.example/page"], {}, /origin/u],
    [["unexpected"], {}, /argument/u],
  ] as const)("%j with %j", async (args, env, message) => {
    const { code, stdout, stderr } = await umpire(["serve", ...args], { env });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(SECRET);
    expect({ code, stdout: stdout.replace(/.*authentication is off.*\n/u, "") }).toEqual({ code: 2, stdout: "" });
  });
});

test("other commands do not load the server", async () => {
  const loaded = new Set<string>();
  const follow = async (file: string): Promise<void> => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const source = await readFile(file, "utf8");
    for (const [, path = ""] of source.matchAll(/^(?:import|\} from|export .* from) .*?"(\.[^"]+)";$/gmu))
      await follow(join(dirname(file), path));
  };
  await follow(fileURLToPath(new URL("../../dist/cli.js", import.meta.url)));
  expect(loaded.size).toBeGreaterThan(2);
  for (const file of loaded) expect(await readFile(file, "utf8")).not.toMatch(/node_modules\/(?:pino|prom-client|@hono)/u);
});

test("a terminal gets readable lines, and JSON if it asks for it", async () => {
  const inATerminal = (...args: string[]): Promise<Run> =>
    inTerminal(shell(["serve", "--port", "0", "--threads", "1", ...args]), { env: { NO_COLOR: "1" }, typed: "\u0003", when: "ready" });
  // The exit code is that of the shell, which gets the signal, too.
  const { stdout } = await inATerminal();
  expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}listening {2}url: http:\/\/127\.0\.0\.1:\d+\r$/mu);
  expect(stdout).toMatch(/ closed {2}droppedRequests: 0\r$/mu);
  expect(stdout).not.toContain("{");
  const json = await inATerminal("--log-format", "json");
  expect(json.stdout).toMatch(/^\{"level":"info",.*"message":"listening"\}\r$/mu);
});

test("texts stay read for nobody unless it is asked for, and the help says so", async () => {
  const { stdout } = await umpire(["serve", "--help"]);
  expect(stdout.replace(/\s+/gu, " ")).toContain("for clients who trust each other (default: 0)");
});
