import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ModelFolder } from "../../adding/model-folder.ts";
import { mayMount, onSmallDisk } from "../../serve/ledger/small-disk.ts";
import { CLI, cleanEnv, finished, inTerminal, shell, umpire } from "../../support/command-line.ts";
import type { Run } from "../../support/command-line.ts";

interface Added {
  readonly id: string;
  readonly folder: string;
  readonly precisions: readonly string[];
  readonly licence: string;
  readonly uncalibrated: boolean;
}

interface Listed {
  readonly models: readonly { readonly name: string; readonly x_latest: boolean; readonly x_built_in: boolean; readonly x_uncalibrated?: boolean }[];
}

let model: ModelFolder;
let home: string;

const cli = (args: readonly string[], env: Record<string, string> = {}): Promise<Run> => umpire(args, { env: { UMPIRE_HOME: home, ...env } });

beforeAll(async () => {
  model = await ModelFolder.make("bert", "Größe 3 (NLI)");
  home = await mkdtemp(join(tmpdir(), "umpire-home-"));
});

afterAll(async () => {
  await model.remove();
  await rm(home, { recursive: true });
});

describe("a model's life", () => {
  beforeEach(async () => {
    await rm(join(home, "models"), { recursive: true, force: true });
  });

  test("it is added, listed, shown, asked, verified and removed, one command each", async () => {
    const added = await cli(["models", "add", model.path, "--file", "onnx/model.onnx", "--template", "Say {option}: $& {x} {instructions}"]);
    expect(added.stderr).toBe("");
    const facts = JSON.parse(added.stdout) as Added;
    // An id is made of any name.
    expect(facts).toMatchObject({ id: "gro-e-3-nli", precisions: ["fp32"], licence: "apache-2.0", uncalibrated: true });
    expect(facts.folder).toBe(join(home, "models", facts.id));
    expect(await readdir(join(home, "models"))).toEqual([facts.id]);

    const { models } = JSON.parse((await cli(["models"])).stdout) as Listed;
    expect(models.find(({ name }) => name === facts.id)).toMatchObject({ x_latest: false, x_built_in: false, x_uncalibrated: true });
    expect(models.find(({ x_latest }) => x_latest)).toMatchObject({ x_built_in: true });
    expect((await cli(["models", "list", "--pretty"])).stdout).toMatch(/^gro-e-3-nli {2}\d{4}-\d\d-\d\d {2}added {2}uncalibrated {2}\d+ kB$/mu);

    const shown = await cli(["models", "show", facts.id, "--pretty"]);
    expect(shown.stdout).toMatch(/labels +contradiction, entailment, neutral\n[^]*choice: Say \{option\}: \$& \{x\} \{instructions\}/u);
    const { manifest } = JSON.parse((await cli(["models", "show", facts.id])).stdout) as { manifest: { templates: { choice: string } } };
    expect(manifest.templates.choice).toBe("Say {option}: $& {x} {instructions}");

    const ask = ["decide", "--model", facts.id, "--state", "It rains.", "--choose", "What is it? rain, $& {option}"];
    const decided = JSON.parse((await cli(ask)).stdout) as { model: string; answers: { choose: { probabilities: Record<string, number> } } };
    expect(decided.model).toBe(facts.id);

    const verified = await cli(["models", "verify", facts.id]);
    expect(verified.stderr).toBe("");
    const { ok, findings } = JSON.parse(verified.stdout) as { ok: boolean; findings: { name: string; facts: { asked?: number } }[] };
    expect([ok, verified.code]).toEqual([true, 0]);
    expect(findings.map(({ name }) => name)).toEqual(expect.arrayContaining(["wasm fp32"]));
    expect(findings.every(({ facts: { asked = 12 } }) => asked >= 10)).toBe(true);

    expect(await cli(["models", "remove", facts.id])).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") as string });
    expect((await cli(["models", "remove", facts.id, "--yes"])).code).toBe(0);
    expect(await readdir(join(home, "models"))).toEqual([]);
    expect((await cli(["models", "show", facts.id])).stderr).toMatch(/^umpire: There is no such model\. There are: umpire-2\.\n$/u);
  });

  test("of two that add one id at once, one wins and the other says so", async () => {
    const runs = await Promise.all(["a", "b"].map(() => cli(["models", "add", model.path, "--as", "twin"])));
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(runs.map(({ stderr }) => stderr).join("")).toMatch(/^umpire: There is a model twin already\./u);
    expect(await readdir(join(home, "models"))).toEqual(["twin"]);
    expect((await cli(["models", "add", model.path, "--as", "twin"])).stderr).toMatch(/^umpire: There is a model twin already\./u);
  });

  test("one that is killed midway leaves no model, and its rest goes with the next", async () => {
    const args = ["models", "add", model.path, "--as", "tiny"];
    const child = spawn(process.execPath, ["--import", HELD_BEFORE_THE_END, CLI, ...args], { env: cleanEnv({ UMPIRE_HOME: home }) });
    const ended = finished(child);
    await once(child.stderr, "data");
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    expect(await readdir(join(home, "models"))).toEqual([expect.stringMatching(/^\.adding-/u)]);
    expect((JSON.parse((await cli(["models"])).stdout) as Listed).models.map(({ name }) => name)).toEqual(["umpire-2"]);
    expect((await cli(args)).code).toBe(0);
    expect(await readdir(join(home, "models"))).toEqual(["tiny"]);
  });

  test.skipIf(process.platform === "win32")("Ctrl-C leaves nothing, and the shell sees the signal", async () => {
    const child = spawn(process.execPath, ["--import", HELD_WHILE_COPYING, CLI, "models", "add", model.path, "--as", "tiny"], {
      env: cleanEnv({ UMPIRE_HOME: home }),
    });
    const ended = finished(child);
    await once(child.stderr, "data");
    expect(await readdir(join(home, "models"))).toHaveLength(1);
    child.kill("SIGINT");
    expect((await ended).signal).toBe("SIGINT");
    expect(await readdir(join(home, "models"))).toEqual([]);
  });

  test.skipIf(!mayMount)("a full disk is one sentence, and nothing is left", async () => {
    const disk = await mkdtemp(join(tmpdir(), "umpire-disk-"));
    const [start = "", ...rest] = onSmallDisk('head -c 1000000 /dev/zero >"$0/full"');
    const command = `${shell(["models", "add", model.path, "--as", "tiny"])}; ls -A '${disk}/models' >&2`;
    const child = spawn(start, [...rest, disk, "sh", "-c", command], { env: cleanEnv({ UMPIRE_HOME: disk }) });
    expect((await finished(child)).stderr).toMatch(/^umpire: The disk is full\. [^\n]+\n$/u);
    await rm(disk, { recursive: true });
  });

  test("a damaged one is a problem, with what to do", async () => {
    await cli(["models", "add", model.path, "--as", "tiny"]);
    const goldens = join(home, "models", "tiny", "goldens.json");
    await writeFile(goldens, (await readFile(goldens, "utf8")).replace(/\d/u, "9"));
    const { code, stdout } = await cli(["models", "verify", "tiny", "--pretty"]);
    expect(stdout).not.toContain("tiny//");
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/gu, " ")).toMatch(/✗ wasm .*goldens\.json .* SHA-256.*umpire models remove tiny, then umpire models add/u);
    // It can be removed all the same.
    await writeFile(join(home, "models", "tiny", "manifest.json"), "{");
    expect((await cli(["models", "list", "--pretty"])).stdout).toMatch(/^tiny .*damaged/mu);
    expect((await cli(["models", "remove", "tiny", "--yes"])).code).toBe(0);
  });
});

describe("bad input", () => {
  test("a flag of another name", async () => {
    const { code, stderr } = await cli(["models", "add", model.path, "--license", "mit"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("did you mean --licence?")]);
  });

  test("a folder that there is not", async () => {
    expect((await cli(["models", "add", "./nowhere"])).stderr).toMatch(/^umpire: There is no such folder\./u);
    expect((await cli(["models", "add", "nowhere"])).stderr).toMatch(/^umpire: There is no such folder\. .*org\/name/u);
  });

  test("the built-in model stays", async () => {
    expect((await cli(["models", "remove", "umpire-2", "--yes"])).stderr).toMatch(/came with umpire and cannot be removed/u);
  });
});

test("--out writes a pack to a new folder, which any program can load by its path", async () => {
  const out = join(home, "public", "pack");
  const { code, stdout } = await cli(["models", "add", model.path, "--as", "for-a-page", "--out", out]);
  expect([code, (JSON.parse(stdout) as Added).folder]).toEqual([0, out]);
  expect(await readdir(join(home, "public"))).toEqual(["pack"]);
  const decided = await cli(["decide", "--model", out, "--state", "It rains.", "--ask", "Is it dry?"]);
  expect((JSON.parse(decided.stdout) as { model: string }).model).toBe("for-a-page");
  expect((await cli(["models", "add", model.path, "--out", out])).stderr).toMatch(/there already, and not empty/u);
});

test("in a terminal, removing is asked for", async () => {
  const env = { UMPIRE_HOME: home };
  await cli(["models", "add", model.path, "--as", "asked"]);
  const remove = shell(["models", "remove", "asked"]);
  const no = await inTerminal(remove, { env, typed: "n\n", when: "[y/N]" });
  expect(no.stdout).toMatch(/Remove the model asked \(\d+ kB\) from the disk\? \[y\/N\] [^]*Nothing was removed/u);
  const yes = await inTerminal(remove, { env, typed: "y\n", when: "[y/N]" });
  expect(yes.stdout).toContain("The model asked is removed.");
});

/** A module for `--import` that changes functions of node:fs before the program sees them. */
function changing(code: string): string {
  const source = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; const held = () => { fs.writeSync(2, "held"); setInterval(() => undefined, 1e6); return new Promise(() => undefined); }; ${code}; syncBuiltinESMExports();`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** The pack is whole, but not yet in its place. */
const HELD_BEFORE_THE_END = changing("fs.promises.rename = held");
const HELD_WHILE_COPYING = changing("fs.promises.writeFile = held");
