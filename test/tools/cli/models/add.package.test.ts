import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ModelFolder } from "../../models/model-folder.ts";
import { umpire } from "../../../support/command-line.ts";
import type { CallOptions, Run } from "../../../support/command-line.ts";
import { tempDir } from "../../../support/temp-dir.ts";

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
const home = tempDir();

const cli = (args: readonly string[], options: CallOptions = {}): Promise<Run> => umpire(args, { env: { UMPIRE_HOME: home }, ...options });

beforeAll(async () => {
  model = await ModelFolder.make("bert", "Größe 3 (NLI)");
});
afterAll(() => model.remove());

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
  await cli(["models", "add", model.path, "--as", "asked"]);
  const remove = ["models", "remove", "asked"];
  const no = await cli(remove, { terminal: 80, stdin: "n\n" });
  expect(no.stderr).toMatch(/Remove the model asked \(\d+ kB\) from the disk\? \[y\/N\] [^]*Nothing was removed/u);
  // Whoever goes away agrees to nothing.
  expect((await cli(remove, { terminal: 80 })).stderr).toContain("Nothing was removed");
  const yes = await cli(remove, { terminal: 80, stdin: "y\n" });
  expect(yes.stderr).toContain("The model asked is removed.");
});

test("what cannot be done is one sentence", async () => {
  expect(await cli(["models", "add", "./nowhere"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^umpire: There is no such folder\.[^\n]*\n$/u) as string,
  });
  expect((await cli(["models", "remove", "umpire-2", "--yes"])).stderr).toMatch(/came with umpire and cannot be removed/u);
});
