import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { addKey, readKeyFile, watchKeyFile } from "../../../../src/service/node/keys/key-file.ts";
import { lacks } from "../../../support/needs.ts";
import { decideError } from "../../../support/rejection.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { keysFolder } from "./keys-folder.ts";

const folder = keysFolder();

it.skipIf(lacks("mkfifo"))("a pipe in place of a watched file lets nobody in, and does not hold the program up", async () => {
  const { secret } = await addKey(folder.file, { name: "first" });
  const problems: string[] = [];
  await using keys = await watchKeyFile(folder.file, { intervalMs: 20, graceMs: 1, onError: ({ message }) => problems.push(message) });
  await rm(folder.file);
  execFileSync("mkfifo", [folder.file]);
  await expect.poll(() => problems.at(-1)).toContain("it is a pipe or a device");
  await expect
    .poll(() =>
      keys.find(secret).then(
        () => "let in",
        () => "refused",
      ),
    )
    .toBe("refused");
  expect(await decideError(() => keys.find(secret))).toMatchObject({ code: "backend_unavailable", status: 503, retryable: true });
});

describe("programs that change the file at once", () => {
  const modules = tempDir();
  beforeAll(async () => {
    const sourceAt = (path: string): string => fileURLToPath(new URL(`../../../../src/${path}.ts`, import.meta.url));
    const entryPoints = {
      lock: sourceAt("files/lock"),
      "key-file": sourceAt("service/node/keys/key-file"),
    };
    await build({ entryPoints, outdir: modules, bundle: true, format: "esm", platform: "node", outExtension: { ".js": ".mjs" } });
  });

  const run = async (source: string): Promise<unknown[]> =>
    once(spawn(process.execPath, ["--input-type=module", "--eval", source], { cwd: modules, stdio: "inherit" }), "close");
  const addTwenty = (prefix: string): string => `
    const { addKey } = await import(${JSON.stringify(join(modules, "key-file.mjs"))});
    for (let i = 0; i < 20; i++) await addKey(${JSON.stringify(folder.file)}, { name: "${prefix}" + i });`;
  const dieWithLock = (): string => `
    const { withFileLock } = await import(${JSON.stringify(join(modules, "lock.mjs"))});
    await withFileLock(${JSON.stringify(`${folder.file}.lock`)}, () => process.kill(process.pid, "SIGKILL") && new Promise(() => setTimeout(() => {}, 9e4)));`;

  it("lose no key, even if one dies in the middle of a change", async () => {
    expect(await run(dieWithLock())).toEqual([null, "SIGKILL"]);
    expect(await readdir(folder.path)).toContain("keys.json.lock");
    expect(await Promise.all(["a", "b"].map((prefix) => run(addTwenty(prefix))))).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(new Set((await readKeyFile(folder.file)).map(({ name }) => name)).size).toBe(40);
    expect((await readdir(folder.path)).filter((name) => !name.startsWith("keys.json.lock."))).toEqual(["keys.json"]);
  });

  it("can end by themselves while they watch it", async () => {
    await addKey(folder.file, { name: "a" });
    const source = `
      const { watchKeyFile } = await import(${JSON.stringify(join(modules, "key-file.mjs"))});
      await watchKeyFile(${JSON.stringify(folder.file)}, { onError: console.error });`;
    expect(await run(source)).toEqual([0, null]);
  });

  it.skipIf(process.platform === "win32")("let nobody in while there is no free file descriptor to read it with", async () => {
    const { secret } = await addKey(folder.file, { name: "a" });
    const source = `
      const { closeSync, openSync } = await import("node:fs");
      const { watchKeyFile } = await import(${JSON.stringify(join(modules, "key-file.mjs"))});
      const problems = [];
      const keys = await watchKeyFile(${JSON.stringify(folder.file)}, { intervalMs: 20, graceMs: 100, onError: ({ code }) => problems.push(code) });
      const opened = [];
      try { for (;;) opened.push(openSync("/dev/null")); } catch ({ code }) { console.log(code); }
      const outcome = () => keys.find(${JSON.stringify(secret)}).then((key) => key?.name, ({ code }) => code);
      const until = async (wanted) => { while ((await outcome()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 5)); };
      await until("backend_unavailable");
      for (const descriptor of opened) closeSync(descriptor);
      await until("a");
      console.log(problems.join());
      await keys.close();`;
    const program = spawn("sh", ["-c", 'ulimit -n 64; exec "$0" "$@"', process.execPath, "--input-type=module", "--eval", source], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(program, "close");
    const lines: string[] = [];
    createInterface(program.stdout).on("line", (line) => lines.push(line));
    await closed;
    expect(lines).toEqual(["EMFILE", "backend_unavailable"]);
  });
});
