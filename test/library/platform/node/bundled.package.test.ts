import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { BuildOptions } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import webpack from "webpack";
import { runScript } from "../../../support/child-program.ts";
import { linkedProject } from "../../../support/linked-project.ts";
import { packageRootPath } from "../../../support/package-root.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { ASKED, TEXTS } from "../../../support/texts.ts";

/** A program that uses what is in the worker, on its own thread, and loaded on demand. It prints what each gives, or the error. */
const PROGRAM = `
  import { createDecider, decide } from "umpire";
  const questions = { late: { type: "noul", instructions: ${JSON.stringify(ASKED.late)} } };
  const request = { state: ${JSON.stringify(TEXTS.late)}, questions };
  const decider = createDecider({ inline: true, threads: 1 });
  const examples = ["It came late.", "It came on time."].flatMap((text) => Array.from({ length: 4 }, (_, i) => ({ state: text + i, answer: text.includes("late") })));
  const uses = {
    worker: async () => (await decide(request)).model,
    inline: async () => (await decider.decide(request)).model,
    rows: async () => {
      for await (const { answers } of decider.decideMany([request.state], { questions })) return typeof answers.late.noul;
    },
    teach: async () => typeof (await decider.teach(questions.late, examples)).report,
    models: async () => (await decider.models())[0].id,
  };
  const run = async () => {
    for (const [name, use] of Object.entries(uses))
      console.log(JSON.stringify([name, await use().catch(({ code, message }) => ({ code, message }))]));
    await decider.close();
  };
  run();
`;

const DIST = join(packageRootPath, "dist");
const { version } = JSON.parse(await readFile(join(packageRootPath, "package.json"), "utf8")) as { readonly version: string };

/** Bundles the program. @returns warnings */
type Bundle = (folder: string, outfile: string) => Promise<readonly string[]>;

const withEsbuild =
  (options: BuildOptions): Bundle =>
  async (folder, outfile) => {
    const { warnings } = await build({
      entryPoints: ["app.mjs"],
      absWorkingDir: folder,
      bundle: true,
      platform: "node",
      preserveSymlinks: true,
      logLevel: "silent",
      outfile,
      ...options,
    });
    return warnings.map(({ text }) => text);
  };

const withWebpack: Bundle = async (folder, outfile) => {
  const compiler = webpack({
    mode: "production",
    target: "node",
    context: folder,
    entry: "./app.mjs",
    resolve: { symlinks: false },
    experiments: { outputModule: true },
    output: { path: folder, filename: outfile, module: true, chunkFormat: "module" },
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  const { errors = [], warnings = [] } = stats?.toJson({ errors: true, warnings: true }) ?? {};
  return [...errors, ...warnings].map(({ message }) => message);
};

const EXTERNAL = { external: ["umpire"] };

const BUNDLES: readonly { name: string; file: string; bundle: Bundle; isMovable: boolean }[] = [
  { name: "esbuild, as an ES module", file: "esm.mjs", bundle: withEsbuild({ format: "esm" }), isMovable: true },
  { name: "esbuild, as CommonJS", file: "common.cjs", bundle: withEsbuild({ format: "cjs" }), isMovable: true },
  // It writes the address that umpire had into the bundle.
  { name: "webpack", file: "webpack.mjs", bundle: withWebpack, isMovable: false },
  { name: "esbuild, which leaves umpire out", file: "external.mjs", bundle: withEsbuild({ ...EXTERNAL, format: "esm" }), isMovable: false },
  {
    name: "esbuild, which leaves umpire out of CommonJS",
    file: "external.cjs",
    bundle: withEsbuild({ ...EXTERNAL, format: "cjs" }),
    isMovable: false,
  },
];

let project: string;
beforeAll(async () => {
  project = await linkedProject();
  await writeFile(join(project, "app.mjs"), PROGRAM);
});

/** What each use gives in a folder that has the bundle, and what the program says on standard error. */
async function outcomes(folder: string, file: string): Promise<[unknown, string]> {
  const { stdout, stderr } = await runScript(join(folder, file), { folder });
  const lines = stdout.trim().split("\n");
  return [Object.fromEntries(lines.map((line) => JSON.parse(line) as [string, unknown])), stderr];
}

it.each(BUNDLES)("a program bundled by $name is bundled without a warning, and does all that it did", async ({ file, bundle }) => {
  expect(await bundle(project, file)).toEqual([]);
  const answered = { worker: "umpire-2", inline: "umpire-2", rows: "number", teach: "object", models: "umpire-2" };
  expect(await outcomes(project, file)).toEqual([answered, ""]);
});

describe.each(BUNDLES.filter(({ isMovable }) => isMovable))("a program bundled by $name, in another place,", ({ file, bundle }) => {
  it.each([
    ["umpire is not installed", undefined],
    ["another version is installed", "99.9.9"],
    ["umpire was deployed without its models", version],
  ])("says in one sentence what to do where %s", async (_, there) => {
    const elsewhere = tempDir();
    await bundle(project, file);
    await cp(join(project, file), join(elsewhere, file));
    if (there !== undefined) await installed(elsewhere, there);
    const error = { code: "backend_unavailable", message: SENTENCE };
    const errors = { worker: error, inline: error, rows: error, teach: error, models: error };
    expect(await outcomes(elsewhere, file)).toEqual([errors, ""]);
  });
});

const SENTENCE = `umpire ${version} does not find its worker and its models where this program runs: keep it out of the bundle (esbuild: --external:umpire, webpack: externals, Next: serverExternalPackages: ["umpire"]), and deploy the whole folder node_modules/umpire with the program.`;

/** Of another version it has all files, of this one only those that a tracer of imports would find. */
async function installed(folder: string, there: string): Promise<void> {
  const umpire = join(folder, "node_modules/umpire");
  await mkdir(join(umpire, "dist"), { recursive: true });
  await writeFile(join(umpire, "package.json"), JSON.stringify({ name: "umpire", version: there }));
  await symlink(join(DIST, "worker.node.cjs"), join(umpire, "dist/worker.node.cjs"));
  if (there !== version) await symlink(join(DIST, "umpire"), join(umpire, "dist/umpire"));
}
