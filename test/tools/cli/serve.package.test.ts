import { once } from "node:events";
import { readFile, readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLI, umpire } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { ask, LONG, started } from "./started-server.ts";
import type { Server } from "./started-server.ts";

const SECRET = "sk-marker-of-the-only-key";
/** A user who owns no files. Only root can switch to it. */
const NOBODY = 65_534;

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

test("other commands do not load the server", async () => {
  const loaded = new Set<string>();
  const follow = async (file: string): Promise<void> => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const source = await readFile(file, "utf8");
    for (const [, path = ""] of source.matchAll(/^(?:import|\} from|export .* from) .*?"(\.[^"]+)";$/gmu))
      await follow(join(dirname(file), path));
  };
  await follow(CLI);
  expect(loaded.size).toBeGreaterThan(2);
  for (const file of loaded) expect(await readFile(file, "utf8")).not.toMatch(/node_modules\/(?:pino|prom-client|@hono)/u);
});

describe("a server with one key, run by a user who may not write anywhere", () => {
  const isRoot = process.getuid?.() === 0;
  let server: Server;
  let folder = "";
  let before: string[] = [];
  beforeAll(async () => {
    before = await filesOf(NOBODY, tmpdir());
    folder = tempDir();
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    server = await started([], { UMPIRE_API_KEY: SECRET, UMPIRE_HOST: "127.0.0.1" }, { cwd: isRoot ? "/" : folder, ...user });
  });
  afterAll(() => server.child.kill("SIGKILL"));

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
