import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ModelFolder } from "../../models/model-folder.ts";
import { mayMount, onSmallDisk } from "../../../service/node/ledger/small-disk.ts";
import { CLI, cleanEnv, finished, shell, umpire, umpireProcess } from "../../../support/command-line.ts";
import { tempDir } from "../../../support/temp-dir.ts";

let model: ModelFolder;
const home = tempDir();
const env = { UMPIRE_HOME: home };
const added = (): Promise<string[]> => readdir(join(home, "models"));

beforeAll(async () => {
  model = await ModelFolder.make("bert", "Größe 3 (NLI)");
});
afterAll(() => model.remove());
beforeEach(() => rm(join(home, "models"), { recursive: true, force: true }));

test("of two that add one id at once, one wins and the other says so", async () => {
  const runs = await Promise.all(["a", "b"].map(() => umpireProcess(["models", "add", model.path, "--as", "twin"], { env })));
  expect(runs.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(runs.map(({ stderr }) => stderr).join("")).toMatch(/^umpire: There is a model twin already\./u);
  expect(await added()).toEqual(["twin"]);
  expect((await umpire(["models", "add", model.path, "--as", "twin"], { env })).stderr).toMatch(/^umpire: There is a model twin already\./u);
});

test("one that is killed midway leaves no model, and its rest goes with the next", async () => {
  const args = ["models", "add", model.path, "--as", "tiny"];
  const child = spawn(process.execPath, ["--import", HELD_BEFORE_THE_END, CLI, ...args], { env: cleanEnv(env) });
  const ended = finished(child);
  await once(child.stderr, "data");
  child.kill("SIGKILL");
  expect((await ended).signal).toBe("SIGKILL");
  expect(await added()).toEqual([expect.stringMatching(/^\.adding-/u)]);
  const { models } = JSON.parse((await umpire(["models"], { env })).stdout) as { models: readonly { readonly name: string }[] };
  expect(models.map(({ name }) => name)).toEqual(["umpire-2"]);
  expect((await umpire(args, { env })).code).toBe(0);
  expect(await added()).toEqual(["tiny"]);
});

test.skipIf(process.platform === "win32")("Ctrl-C leaves nothing, and the shell sees the signal", async () => {
  const child = spawn(process.execPath, ["--import", HELD_WHILE_COPYING, CLI, "models", "add", model.path, "--as", "tiny"], {
    env: cleanEnv(env),
  });
  const ended = finished(child);
  await once(child.stderr, "data");
  expect(await added()).toHaveLength(1);
  child.kill("SIGINT");
  expect((await ended).signal).toBe("SIGINT");
  expect(await added()).toEqual([]);
});

test.skipIf(!mayMount)("a full disk is one sentence, and nothing is left", async () => {
  const disk = tempDir();
  const [start = "", ...rest] = onSmallDisk('head -c 1000000 /dev/zero >"$0/full"');
  const command = `${shell(["models", "add", model.path, "--as", "tiny"])}; ls -A '${disk}/models' >&2`;
  const child = spawn(start, [...rest, disk, "sh", "-c", command], { env: cleanEnv({ UMPIRE_HOME: disk }) });
  expect((await finished(child)).stderr).toMatch(/^umpire: The model's folder cannot be changed: the disk is full\. [^\n]+\n$/u);
});

/** A module for `--import` that changes functions of node:fs before the program sees them. */
function changing(code: string): string {
  const source = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; const held = () => { fs.writeSync(2, "held"); setInterval(() => undefined, 1e6); return new Promise(() => undefined); }; ${code}; syncBuiltinESMExports();`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** The pack is whole, but not yet in its place. */
const HELD_BEFORE_THE_END = changing("fs.promises.rename = held");
const HELD_WHILE_COPYING = changing("fs.promises.writeFile = held");
