import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DecideError } from "../../../src/errors.ts";
import { withFileLock } from "../../../src/serve/keys/file-lock.ts";
import { addKey, readKeyFile, revokeKey } from "../../../src/serve/keys/key-file.ts";
import { watchKeyFile } from "../../../src/serve/keys/watched-keys.ts";
import type { WatchedKeys } from "../../../src/serve/keys/watched-keys.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "umpire-keys-"));
  file = join(folder, "keys.json");
});
afterEach(() => rm(folder, { recursive: true }));

const failure = async (task: () => Promise<unknown>): Promise<DecideError> => {
  const error: unknown = await task().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!DecideError.isInstance(error)) throw new Error("no DecideError", { cause: error });
  return error;
};
const names = async (): Promise<string[]> => (await readKeyFile(file)).map(({ name }) => name);

describe("the key file", () => {
  it("keeps a key's hash and limits, and not its secret", async () => {
    const { secret } = await addKey(file, {
      name: "mobile",
      expiresAt: "2099-01-01T00:00:00Z",
      models: ["umpire-2"],
      requestsPerMinute: 9,
    });
    expect(secret).toMatch(/^ump_[\w-]{43}$/u);
    expect(await readFile(file, "utf8")).not.toContain(secret.slice(4));
    await using keys = await watchKeyFile(file, { onError: fail });
    expect(await keys.find(secret)).toMatchObject({ name: "mobile", models: ["umpire-2"], requestsPerMinute: 9 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["keys.json"]);
  });

  it("loses a key when it is revoked, and keeps the others", async () => {
    for (const name of ["a", "b", "c"]) await addKey(file, { name });
    await revokeKey(file, "b");
    expect(await names()).toEqual(["a", "c"]);
  });

  it("takes a name only once, and revokes none that it has not", async () => {
    await addKey(file, { name: "a" });
    const before = await readFile(file, "utf8");
    for (const task of [() => addKey(file, { name: "a" }), () => revokeKey(file, "b"), () => addKey(file, { name: "a b" })]) {
      expect((await failure(task)).code).toBe("invalid_request");
    }
    expect(await readFile(file, "utf8")).toBe(before);
  });

  it("keeps the mode that its owner gave it", async () => {
    await addKey(file, { name: "a" });
    await chmod(file, 0o640);
    await addKey(file, { name: "b" });
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it("stays where a link leads", async () => {
    await mkdir(join(folder, "real"));
    await writeFile(join(folder, "real/keys.json"), '{"keys":[]}');
    await symlink("real/keys.json", file);
    await addKey(file, { name: "a" });
    expect(await readFile(join(folder, "real/keys.json"), "utf8")).toContain('"a"');
    expect(await names()).toEqual(["a"]);
  });

  it.each([
    ["is empty", ""],
    ["holds no JSON", '{"keys": [ump_mysecret]}'],
    ["must be an object", "[]"],
    ["keys is missing", "{}"],
    ["keys must be an array", '{"keys":{}}'],
    ["keys and nothing else", '{"keys":[],"version":1}'],
    ["keys[0].sha256", '{"keys":[{"name":"a","sha256":"ump_mysecret"}]}'],
  ])("that is damaged is named with what is wrong: %s", async (what, text) => {
    await writeFile(file, text);
    for (const task of [
      () => readKeyFile(file),
      () => watchKeyFile(file, { onError: fail }),
      () => addKey(file, { name: "b" }),
      () => revokeKey(file, "a"),
    ]) {
      const { code, message, cause } = await failure(task);
      expect([code, message]).toEqual(["invalid_request", expect.stringContaining(what)]);
      expect(message).toContain(file);
      expect(`${message} ${String(cause)}`).not.toContain("mysecret");
    }
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("that is not there is an error, but for the first key", async () => {
    for (const task of [
      () => readKeyFile(file),
      () => watchKeyFile(file, { onError: fail }),
      () => revokeKey(file, "a"),
      () => addKey(join(file, "x"), { name: "a" }),
    ]) {
      expect((await failure(task)).message).toContain("there is no such file");
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("programs that change it at once", () => {
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

  it("lose no key, also where one died in the middle of a change", async () => {
    expect(await run(dieWithLock())).toEqual([null, "SIGKILL"]);
    expect(await readdir(folder)).toContain("keys.json.lock");
    expect(await Promise.all(["a", "b"].map((prefix) => run(addTwenty(prefix))))).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(new Set(await names()).size).toBe(40);
    expect((await readdir(folder)).filter((name) => !name.startsWith("keys.json.lock."))).toEqual(["keys.json"]);
  });

  it("end by themselves while they watch it", async () => {
    await addKey(file, { name: "a" });
    const source = `
      const { watchKeyFile } = await import(${JSON.stringify(join(modules, "watched-keys.mjs"))});
      await watchKeyFile(${JSON.stringify(file)}, { onError: console.error });`;
    expect(await run(source)).toEqual([0, null]);
  });

  it("lose no key where one program makes many at a time", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, i) => addKey(file, { name: `k${i}` })));
    expect(await names()).toHaveLength(12);
    expect(await readdir(folder)).toEqual(["keys.json"]);
  });

  it("take the lock of a dead process one at a time, however many find it", async () => {
    const lock = join(folder, "lock");
    let inside = 0;
    let most = 0;
    const task = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await sleep(5);
      inside--;
    };
    for (let round = 0; round < 40; round++) {
      // No process has this number: it is above the largest that Linux gives.
      await writeFile(lock, JSON.stringify({ pid: 2 ** 30, host: hostname(), id: `dead${round}` }));
      const tries = Array.from({ length: 6 }, () => withFileLock(lock, task, 15).then(() => "held", String));
      expect(await Promise.all(tries)).toContain("held");
    }
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it("do not take the lock of one that lives, nor of another machine, and say whose it is", async () => {
    for (const holder of [
      { pid: process.ppid, host: hostname(), id: "1" },
      { pid: 2 ** 30, host: "elsewhere", id: "2" },
    ]) {
      const lock = join(folder, "lock");
      await writeFile(lock, JSON.stringify(holder));
      const { code, retryable, message } = await failure(() => withFileLock(lock, () => Promise.resolve(), 50));
      expect([code, retryable]).toEqual(["overloaded", true]);
      expect(message).toContain(`process ${holder.pid} on ${holder.host}`);
      expect(await readdir(folder)).toEqual(["lock"]);
    }
  });
});

describe("keys that are watched", () => {
  const problems: string[] = [];
  const sizes: number[] = [];
  let keys: WatchedKeys;
  let secret: string;
  beforeEach(async () => {
    problems.length = sizes.length = 0;
    secret = (await addKey(file, { name: "first" })).secret;
    keys = await watch();
  });
  afterEach(() => keys.close());
  const watch = (): Promise<WatchedKeys> =>
    watchKeyFile(file, { intervalMs: 20, onError: ({ message }) => problems.push(message), onChange: (size) => sizes.push(size) });
  const soon = (isTrue: () => unknown): Promise<void> => expect.poll(isTrue, { timeout: 2000, interval: 5 }).toBe(true);

  it("are added and revoked within a second, at the interval that is the default", async () => {
    const kept = await addKey(file, { name: "kept" });
    await using watched = await watchKeyFile(file, { onError: fail });
    const added = await addKey(file, { name: "added" });
    await revokeKey(file, "first");
    await sleep(900);
    expect(await watched.find(secret)).toBeUndefined();
    expect(await watched.find(kept.secret)).toMatchObject({ name: "kept" });
    expect(await watched.find(added.secret)).toMatchObject({ name: "added" });
    expect(watched.size).toBe(2);
  });

  it("stay the last good ones while the file is broken or gone, which is told once", async () => {
    const good = await readFile(file, "utf8");
    await writeFile(file, '{"keys": [ump_secret');
    await soon(() => problems.length === 1);
    await sleep(100);
    expect(problems).toEqual([expect.stringContaining("holds no JSON")]);
    expect(await keys.find(secret)).toMatchObject({ name: "first" });
    await rm(file);
    await soon(() => problems.length === 2);
    await sleep(100);
    expect(problems.slice(1)).toEqual([expect.stringContaining("there is no such file")]);
    expect(await keys.find(secret)).toMatchObject({ name: "first" });
    expect(sizes).toEqual([]);
    await writeFile(file, good);
    await soon(() => sizes.length === 1);
    await revokeKey(file, "first");
    await soon(() => sizes.length === 2);
    expect(sizes).toEqual([1, 0]);
    expect(problems).toHaveLength(2);
    expect(await keys.find(secret)).toBeUndefined();
  });

  it("follow a link that is made to lead elsewhere, as container secrets are changed", async () => {
    await keys.close();
    const [one, two] = await Promise.all(
      ["one", "two"].map(async (name) => {
        await mkdir(join(folder, name));
        return (await addKey(join(folder, name, "keys.json"), { name })).secret;
      }),
    );
    await rm(file);
    await symlink("one", join(folder, "data"));
    await symlink("data/keys.json", file);
    keys = await watch();
    expect(await keys.find(one ?? "")).toMatchObject({ name: "one" });
    await symlink("two", join(folder, "data.new"));
    await rename(join(folder, "data.new"), join(folder, "data"));
    await soon(() => sizes.length === 1);
    expect(await keys.find(one ?? "")).toBeUndefined();
    expect(await keys.find(two ?? "")).toMatchObject({ name: "two" });
  });

  it("see a change that alters neither size nor time", async () => {
    const { atime, mtime } = await stat(file);
    await writeFile(file, (await readFile(file, "utf8")).replace('"first"', '"third"'));
    await utimes(file, atime, mtime);
    await soon(() => sizes.length === 1);
    expect(await keys.find(secret)).toMatchObject({ name: "third" });
  });

  it("change no more once they are closed", async () => {
    await keys.close();
    await revokeKey(file, "first");
    await sleep(100);
    expect(await keys.find(secret)).toMatchObject({ name: "first" });
    expect(sizes).toEqual([]);
  });
});

function fail(error: DecideError): never {
  throw error;
}
