import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addKey, readKeyFile, revokeKey } from "../../../src/serve/keys/key-file.ts";
import { watchKeyFile } from "../../../src/serve/keys/watched-keys.ts";
import { decideError } from "../../support/rejection.ts";
import { unexpected } from "./keys-folder.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "umpire-keys-"));
  file = join(folder, "keys.json");
});
afterEach(() => rm(folder, { recursive: true }));

const names = async (): Promise<string[]> => (await readKeyFile(file)).map(({ name }) => name);

describe("the key file", () => {
  it("stores a key's hash and limits, but not its secret", async () => {
    const { secret } = await addKey(file, {
      name: "mobile",
      expiresAt: "2099-01-01T00:00:00Z",
      models: ["umpire-2"],
      requestsPerMinute: 9,
    });
    expect(secret).toMatch(/^ump_[\w-]{43}$/u);
    expect(await readFile(file, "utf8")).not.toContain(secret.slice(4));
    await using keys = await watchKeyFile(file, { onError: unexpected });
    expect(await keys.find(secret)).toMatchObject({ name: "mobile", models: ["umpire-2"], requestsPerMinute: 9 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["keys.json"]);
  });

  it("loses a revoked key and keeps the others", async () => {
    for (const name of ["a", "b", "c"]) await addKey(file, { name });
    await revokeKey(file, "b");
    expect(await names()).toEqual(["a", "c"]);
  });

  it("refuses a second key of the same name, and revoking an unknown name", async () => {
    await addKey(file, { name: "a" });
    const before = await readFile(file, "utf8");
    for (const task of [() => addKey(file, { name: "a" }), () => revokeKey(file, "b"), () => addKey(file, { name: "a b" })]) {
      expect((await decideError(task)).code).toBe("invalid_request");
    }
    expect(await readFile(file, "utf8")).toBe(before);
  });

  it("keeps the mode that its owner gave it", async () => {
    await addKey(file, { name: "a" });
    await chmod(file, 0o640);
    await addKey(file, { name: "b" });
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it("is changed at the target if the path is a link", async () => {
    await mkdir(join(folder, "real"));
    await writeFile(join(folder, "real/keys.json"), '{"keys":[]}');
    await symlink("real/keys.json", file);
    await addKey(file, { name: "a" });
    expect(await readFile(join(folder, "real/keys.json"), "utf8")).toContain('"a"');
    expect(await names()).toEqual(["a"]);
  });

  it.each([
    ["is empty", ""],
    ["is not valid JSON", '{"keys": [ump_mysecret]}'],
    ["must be an object", "[]"],
    ["keys is missing", "{}"],
    ["keys must be an array", '{"keys":{}}'],
    ["keys and nothing else", '{"keys":[],"version":1}'],
    ["keys[0].sha256", '{"keys":[{"name":"a","sha256":"ump_mysecret"}]}'],
  ])("that is damaged is refused with the reason: %s", async (what, text) => {
    await writeFile(file, text);
    for (const task of [
      () => readKeyFile(file),
      () => watchKeyFile(file, { onError: unexpected }),
      () => addKey(file, { name: "b" }),
      () => revokeKey(file, "a"),
    ]) {
      const { code, message, cause } = await decideError(task);
      expect([code, message]).toEqual(["invalid_request", expect.stringContaining(what)]);
      expect(message).toContain(file);
      expect(`${message} ${String(cause)}`).not.toContain("mysecret");
    }
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("that does not exist is an error, except when adding the first key", async () => {
    for (const task of [
      () => readKeyFile(file),
      () => watchKeyFile(file, { onError: unexpected }),
      () => revokeKey(file, "a"),
      () => addKey(join(file, "x"), { name: "a" }),
    ]) {
      expect((await decideError(task)).message).toContain("there is no such file");
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("programs that change the file at once", () => {
  let modules: string;
  beforeAll(async () => {
    modules = await mkdtemp(join(tmpdir(), "umpire-bundled-"));
    const entryPoints = ["file-lock", "key-file", "watched-keys"].map((name) =>
      fileURLToPath(new URL(`../../../src/serve/keys/${name}.ts`, import.meta.url)),
    );
    await build({ entryPoints, outdir: modules, bundle: true, format: "esm", platform: "node", outExtension: { ".js": ".mjs" } });
  });
  afterAll(() => rm(modules, { recursive: true }));

  const run = async (source: string): Promise<unknown[]> =>
    once(spawn(process.execPath, ["--input-type=module", "--eval", source], { cwd: modules, stdio: "inherit" }), "close");
  const addTwenty = (prefix: string): string => `
    const { addKey } = await import(${JSON.stringify(join(modules, "key-file.mjs"))});
    for (let i = 0; i < 20; i++) await addKey(${JSON.stringify(file)}, { name: "${prefix}" + i });`;
  const dieWithLock = (): string => `
    const { withFileLock } = await import(${JSON.stringify(join(modules, "file-lock.mjs"))});
    await withFileLock(${JSON.stringify(`${file}.lock`)}, () => process.kill(process.pid, "SIGKILL") && new Promise(() => setTimeout(() => {}, 9e4)));`;

  it("lose no key, even if one dies in the middle of a change", async () => {
    expect(await run(dieWithLock())).toEqual([null, "SIGKILL"]);
    expect(await readdir(folder)).toContain("keys.json.lock");
    expect(await Promise.all(["a", "b"].map((prefix) => run(addTwenty(prefix))))).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(new Set(await names()).size).toBe(40);
    expect((await readdir(folder)).filter((name) => !name.startsWith("keys.json.lock."))).toEqual(["keys.json"]);
  });

  it("can end by themselves while they watch it", async () => {
    await addKey(file, { name: "a" });
    const source = `
      const { watchKeyFile } = await import(${JSON.stringify(join(modules, "watched-keys.mjs"))});
      await watchKeyFile(${JSON.stringify(file)}, { onError: console.error });`;
    expect(await run(source)).toEqual([0, null]);
  });

  it.skipIf(process.platform === "win32")("follow it also without a free file descriptor: a revoked key lets nobody in", async () => {
    const { secret } = await addKey(file, { name: "a" });
    const source = `
      const { openSync } = await import("node:fs");
      const { watchKeyFile } = await import(${JSON.stringify(join(modules, "watched-keys.mjs"))});
      const problems = [];
      const keys = await watchKeyFile(${JSON.stringify(file)}, { intervalMs: 20, onError: ({ message }) => problems.push(message) });
      // As connections do.
      try { for (;;) openSync("/dev/null"); } catch ({ code }) { console.log(code); }
      while ((await keys.find(${JSON.stringify(secret)})) !== undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      console.log(JSON.stringify(problems));
      await keys.close();`;
    const program = spawn("sh", ["-c", 'ulimit -n 64; exec "$0" "$@"', process.execPath, "--input-type=module", "--eval", source], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    // From the start: the program may end before revokeKey() has let go of its lock.
    const closed = once(program, "close");
    const lines: string[] = [];
    createInterface(program.stdout).on("line", (line) => lines.push(line));
    await expect.poll(() => lines).toEqual(["EMFILE"]);
    await revokeKey(file, "a");
    await closed;
    expect(lines).toEqual(["EMFILE", "[]"]);
  });

  it("lose no key if one program adds many at a time", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, i) => addKey(file, { name: `k${i}` })));
    expect(await names()).toHaveLength(12);
    expect(await readdir(folder)).toEqual(["keys.json"]);
  });
});
