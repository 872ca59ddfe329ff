import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { umpire, umpireProcess } from "../../support/command-line.ts";
import { packageRootPath } from "../../support/package-root.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { ASKED, TEXTS } from "../../support/texts.ts";
import { finding, PLACEMENTS, read } from "./doctor-report.ts";

const SHORT = { state: TEXTS.late, questions: { late: { type: "noul", instructions: ASKED.late } } };

/** The built package with one golden request, and a short one that is timed. doctor.faults.test.ts asks them all. @returns its URL */
async function quickToCheck(): Promise<URL> {
  const [folder, original] = [tempDir(), join(packageRootPath, "dist")];
  const dist = join(folder, "dist");
  await mkdir(join(dist, "playground"), { recursive: true });
  await copyFile(join(packageRootPath, "package.json"), join(folder, "package.json"));
  for (const name of await readdir(original)) if (name !== "playground") await symlink(join(original, name), join(dist, name));
  for (const name of await readdir(join(original, "playground")))
    if (name !== "golden.json") await symlink(join(original, "playground", name), join(dist, "playground", name));
  const { cases, ...others } = JSON.parse(await readFile(join(original, "playground/golden.json"), "utf8")) as { cases: unknown[] };
  await writeFile(join(dist, "playground/golden.json"), JSON.stringify({ ...others, cases: cases.slice(0, 1), timed: SHORT }));
  return pathToFileURL(`${dist}/`);
}

test("doctor finds nothing wrong here, and says what it measured on each device and precision", async () => {
  const { code, stdout, stderr } = await umpire(["doctor"], {
    env: { UMPIRE_API_KEY: "sk-secret", NODE_OPTIONS: "--stack-trace-limit=5" },
    dist: await quickToCheck(),
  });
  const report = read(stdout);
  expect({ code, stderr, ok: report.ok }).toEqual({ code: 0, stderr: "", ok: true });
  expect(report.findings.map(({ name }) => name)).toEqual([
    ...["node", "system", "processor", "processors", "memory", "settings", "onnxruntime", "onnxruntime-web"],
    ...["umpire-base", "model", "auto"],
    ...PLACEMENTS,
  ]);
  expect(finding(report, "node").facts).toEqual({ version: process.versions.node, supported: true });
  expect(finding(report, "system").facts).toMatchObject({ platform: process.platform, arch: process.arch });
  expect(finding(report, "onnxruntime")).toMatchObject({ status: "ok", facts: { found: true, version: "1.30.0" } });
  expect(finding(report, "onnxruntime-web").facts).toEqual({ version: "1.30.0" });
  expect(finding(report, "auto").facts).toMatchObject({
    device: "cpu",
    precision: "int8",
    deviceReason: expect.stringMatching(/\w/u) as string,
  });
  for (const name of PLACEMENTS) {
    const { status, text, facts } = finding(report, name);
    expect({ status, text }).toEqual({
      status: "ok",
      text: expect.stringMatching(/^Right: .* took [\d.]+ ms, measured now\.$/u) as string,
    });
    expect(facts?.["maxDifference"]).toBeLessThanOrEqual(name.endsWith("fp32") ? 1e-5 : 0.06);
    expect(facts?.["msPerDecision"]).toBeGreaterThan(0);
  }
  // Values may be secrets.
  expect(finding(report, "settings").facts).toEqual({ set: ["NODE_OPTIONS", "UMPIRE_API_KEY", "UMPIRE_HOME"] });
  expect(stdout).not.toContain("sk-secret");
});

test("doctor says in a sentence what Node's permission model does not allow, and does not advise to install anything again", async () => {
  const permission = process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : "--experimental-permission";
  const flags = [permission, `--allow-fs-read=${packageRootPath}*`, "--disable-warning=ExperimentalWarning"];
  const { code, stdout, stderr } = await umpireProcess(["doctor"], { env: { NODE_OPTIONS: flags.join(" "), HOME: tempDir() } });
  expect([code, stderr]).toEqual([1, ""]);
  const report = read(stdout);
  for (const name of ["auto", "wasm int8"]) {
    const { text, advice = "" } = finding(report, name);
    expect(text).toMatch(
      /^Node's permission model keeps this program from starting the thread [^.]*: start Node with --allow-worker, [^.]*\.$/u,
    );
    expect(advice).not.toContain("again");
  }
  expect(finding(report, "added models").advice).toBe("Start Node with --allow-fs-read for that folder, too.");
});
