import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runScript } from "../../support/child-program.ts";
import { umpireProcess } from "../../support/command-line.ts";
import { MODELS, PackageCopy } from "../../support/package-copy.ts";
import { packageRootPath } from "../../support/package-root.ts";
import { finding, PLACEMENTS, read } from "./doctor-report.ts";

interface GoldenCase {
  readonly answers: Readonly<Record<string, { probabilities: readonly number[] }>>;
}

test("doctor asks every golden request on each device, in a process with Node's own variables", async () => {
  const env = { UMPIRE_API_KEY: "sk-secret", NODE_OPTIONS: "--stack-trace-limit=5" };
  const { code, stdout, stderr } = await umpireProcess(["doctor"], { env });
  const report = read(stdout);
  expect({ code, stderr, ok: report.ok }).toEqual({ code: 0, stderr: "", ok: true });
  for (const name of PLACEMENTS) expect(finding(report, name)).toMatchObject({ status: "ok" });
  expect(finding(report, "settings").facts).toEqual({ set: ["NODE_OPTIONS", "UMPIRE_API_KEY"] });
});

describe("an installation that is broken", () => {
  let copy: PackageCopy;
  beforeEach(async () => {
    copy = await PackageCopy.make();
    await symlink(join(packageRootPath, "node_modules/commander"), join(copy.folder, "node_modules/commander"));
  });
  afterEach(() => copy.remove());

  const doctor = (...args: string[]): ReturnType<typeof runScript> =>
    runScript(join(copy.folder, "dist/cli.js"), { args: ["doctor", ...args], folder: copy.folder, timeoutMs: 280_000 });

  /** The fewer there are, the quicker the check. */
  async function changeGoldens(change: (all: GoldenCase[]) => unknown[]): Promise<void> {
    const file = join(copy.folder, "dist/playground/golden.json");
    const { cases, ...others } = JSON.parse(await readFile(file, "utf8")) as { cases: GoldenCase[] };
    await writeFile(file, JSON.stringify({ ...others, cases: change(cases) }));
  }

  test("without a native binding works, by wasm: it says why and what to do, and that is no problem", async () => {
    await changeGoldens((all) => all.slice(0, 1));
    const { code, stdout } = await doctor();
    const report = read(stdout);
    expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
    const binding = finding(report, "onnxruntime");
    expect(binding).toMatchObject({ status: "note", facts: { found: false } });
    expect(binding.text).toMatch(/^no native binding: \w/u);
    expect(binding.advice).toMatch(/\w/u);
    expect(finding(report, "auto").facts).toMatchObject({ device: "wasm", deviceReason: expect.stringContaining("cpu") as string });
    expect(report.findings.map(({ name }) => name).filter((name) => PLACEMENTS.includes(name))).toEqual(["wasm int8", "wasm fp32"]);
  });

  test("with a damaged model has one problem, which names the file", async () => {
    await rm(join(copy.folder, MODELS));
    const [original, model] = [packageRootPath, copy.folder].map((folder) => join(folder, MODELS, "umpire-2")) as [string, string];
    await mkdir(model, { recursive: true });
    for (const name of await readdir(original)) await symlink(join(original, name), join(model, name));
    await rm(join(model, "tokenizer.json"));
    await writeFile(join(model, "tokenizer.json"), "{}");
    const { code, stdout } = await doctor("--pretty");
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ model {11}tokenizer\.json of the model/u);
    expect(stdout).toMatch(/install it\s+again\.\n\nOne thing is wrong\.\n$/u);
    expect(stdout.match(/✗/gu)).toHaveLength(1);
  });

  test("with answers that are not those of the reference has a problem on each device", async () => {
    await changeGoldens(([first]) => {
      for (const answer of Object.values(first?.answers ?? {})) answer.probabilities = answer.probabilities.map((p) => 1 - p);
      return [first];
    });
    const { code, stdout } = await doctor();
    const report = read(stdout);
    expect({ code, ok: report.ok }).toEqual({ code: 1, ok: false });
    for (const name of ["wasm int8", "wasm fp32"]) {
      expect(finding(report, name)).toMatchObject({ status: "problem", text: expect.stringMatching(/^Wrong: /u) as string });
      expect(finding(report, name).advice).toContain("umpire doctor --json");
    }
  });

  test("with missing files says so", async () => {
    await rm(join(copy.folder, "dist/playground/golden.json"));
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(finding(read(stdout), "devices")).toMatchObject({ status: "problem", advice: "Install umpire again." });
  });
});
