import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

const ASK = `
  const { answers, model } = await decide({
    state: "My card was charged twice for one order.",
    questions: { topic: { type: "choice", instructions: "What is this about?", criteria: { billing: null, weather: null } } },
  });
  console.log(JSON.stringify({ model, choice: answers.topic.choice }));
`;

describe("the packed tarball, installed into an empty project", () => {
  let folder: string;
  let tarball: string;
  let project: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "umpire-package-"));
    // npm test has built dist/ already, and other test files are reading it: the pack must not build it anew.
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
    tarball = join(folder, "umpire-0.1.0.tgz");
    project = join(folder, "project");
    await mkdir(project);
    await writeFile(join(project, "package.json"), '{ "name": "newcomer", "version": "1.0.0", "private": true }\n');
    // The dependencies come from this checkout, so that the test needs no network.
    const dependencies = ["onnxruntime-node", "commander"].map((name) => join(root, "node_modules", name));
    await run(
      "npm",
      ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", join(folder, "cache"), tarball, ...dependencies],
      { cwd: project },
    );
  }, 120_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const answered = async (file: string, source: string): Promise<unknown> => {
    await writeFile(join(project, file), source);
    const { stdout } = await run(process.execPath, [file], { cwd: project });
    return JSON.parse(stdout);
  };
  const right = { model: "umpire-2", choice: "billing" };

  it("decides in an ES module", async () => {
    expect(await answered("module.mjs", `import { decide } from "umpire";\n${ASK}`)).toEqual(right);
  });

  it("decides in CommonJS, through await import", async () => {
    expect(await answered("common.cjs", `(async () => {\nconst { decide } = await import("umpire");\n${ASK}})();`)).toEqual(right);
  });

  it("brings the command line", async () => {
    const umpire = join(project, "node_modules", ".bin", "umpire");
    const { stdout } = await run(umpire, ["decide", "--state", "My card was charged twice.", "--choose", "billing,weather"], {
      cwd: project,
    });
    expect(JSON.stringify(JSON.parse(stdout))).toContain('"choice":"billing"');
  });

  it("has types that hold without this repository's settings", async () => {
    await writeFile(
      join(project, "typed.mts"),
      `import { decide } from "umpire";
       const { answers } = await decide({ state: "", questions: { topic: { type: "choice", instructions: "", criteria: { a: null, b: null } } } });
       export const choice: "a" | "b" = answers.topic.choice;
       // @ts-expect-error a choice has no noul
       export const noul = answers.topic.noul;\n`,
    );
    for (const [module, moduleResolution] of [
      ["nodenext", "nodenext"],
      ["esnext", "bundler"],
    ]) {
      const lib = ["es2022", "dom", "esnext.disposable"];
      const compilerOptions = {
        noEmit: true,
        strict: true,
        target: "es2022",
        lib,
        types: [],
        module,
        moduleResolution,
        skipLibCheck: false,
      };
      await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["typed.mts"] }));
      await run(join(root, "node_modules", ".bin", "tsc"), ["-p", "."], { cwd: project });
    }
  });

  it("holds nothing but what a user needs, and stays below 30 MB", async () => {
    expect((await stat(tarball)).size).toBeLessThan(30e6);
    const { stdout } = await run("tar", ["-tzf", tarball]);
    const folders = new Set(
      stdout
        .trim()
        .split("\n")
        .map((path) => path.split("/").slice(1, 3).join("/")),
    );
    for (const path of folders) expect(path).toMatch(/^(dist\/|package\.json$|README\.md$|LICENSE$|NOTICE$|CHANGELOG\.md$)/);
  });
});
