import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
// This is Rollup, in its wasm build for all platforms.
import { rollup } from "@rollup/wasm-node";
import webpack from "webpack";
import { packageRootPath } from "../../support/package-root.ts";

/** Builds a project's page with the bundler's documented defaults. Returns the output folder and the bundler's warnings. */
export type Bundle = (project: string) => Promise<{ readonly folder: string; readonly warnings: readonly string[] }>;

const VITE = join(packageRootPath, "node_modules/vite/bin/vite.js");
const PAGE = "index.html";

/** The environment of a user's command line. The test runner sets the first two variables, which Vite reads. */
const PLAIN = { ...process.env, NODE_ENV: undefined, VITEST: undefined, NO_COLOR: "1" };

/** `vite build` */
export const withVite: Bundle = async (project) => {
  const { stderr } = await promisify(execFile)(process.execPath, [VITE, "build"], { cwd: project, env: PLAIN });
  return { folder: join(project, "dist"), warnings: stderr === "" ? [] : [stderr] };
};

/** `webpack --entry ./page.js --output-path webpack --output-filename page.js`: production is the default mode. */
export const withWebpack: Bundle = async (project) => {
  const folder = join(project, "webpack");
  const output = { path: folder, filename: "page.js" };
  const warnings = await runWebpack({ context: project, mode: "production", entry: "./page.js", output });
  await cp(join(project, PAGE), join(folder, PAGE));
  return { folder, warnings };
};

/** Returns webpack's warnings, and throws its errors. */
export async function runWebpack(configuration: webpack.Configuration): Promise<string[]> {
  const compiler = webpack(configuration);
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  const { warnings = [], errors = [] } = stats?.toJson({ all: false, errors: true, warnings: true }) ?? {};
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return warnings.map(({ message }) => message);
}

/** `esbuild page.js --bundle --format=esm --outfile=esbuild/page.js` */
export const withEsbuild: Bundle = async (project) => {
  const folder = join(project, "esbuild");
  const entry = { absWorkingDir: project, entryPoints: ["page.js"], outfile: join(folder, "page.js") };
  const { warnings } = await esbuild.build({ ...entry, bundle: true, format: "esm", logLevel: "silent" });
  await copyBeside(project, folder);
  return { folder, warnings: warnings.map(({ text }) => text) };
};

/** `rollup page.js --file rollup/page.js -p node-resolve={browser:true}` */
export const withRollup: Bundle = async (project) => {
  const folder = join(project, "rollup");
  const warnings: string[] = [];
  const onwarn = ({ message }: { readonly message: string }): number => warnings.push(message);
  const bundle = await rollup({ input: join(project, "page.js"), plugins: [nodeResolve({ browser: true })], onwarn });
  await bundle.write({ file: join(folder, "page.js"), format: "es" });
  await bundle.close();
  await copyBeside(project, folder);
  return { folder, warnings };
};

/** No bundler: the page's script imports `./index.browser.js`. */
export const withNothing: Bundle = async (project) => {
  const folder = join(project, "plain");
  await mkdir(folder);
  await copyBeside(project, folder);
  await cp(join(project, "node_modules/umpire/dist/index.browser.js"), join(folder, "index.browser.js"));
  await cp(join(project, "plain-page.js"), join(folder, "page.js"));
  return { folder, warnings: [] };
};

/** The user's one extra step if a bundler does not follow `new URL(..., import.meta.url)`: `cp -r node_modules/umpire/dist/umpire <folder>/`. */
async function copyBeside(project: string, folder: string): Promise<void> {
  await cp(join(project, "node_modules/umpire/dist/umpire"), join(folder, "umpire"), { recursive: true });
  await cp(join(project, PAGE), join(folder, PAGE));
}

/** A running server, its output so far, and a way to stop it. */
export interface DevelopersServer {
  readonly origin: string;
  printed(): string;
  end(): Promise<void>;
}

/** `vite`: starts the development server. */
export async function serveWithVite(project: string, options: readonly string[]): Promise<DevelopersServer> {
  const server = spawn(process.execPath, [VITE, "--port", "0", ...options], { cwd: project, env: PLAIN });
  let printed = "";
  const origin = await new Promise<string>((resolve, reject) => {
    server.once("exit", () => {
      reject(new Error(`Vite has ended: ${printed}`));
    });
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
        const found = /http:\/\/localhost:\d+/.exec(printed);
        if (found !== null) resolve(found[0]);
      });
    }
  });
  const end = async (): Promise<void> => {
    server.removeAllListeners("exit");
    const ended = once(server, "exit");
    server.kill();
    await ended;
  };
  return { origin, printed: () => printed, end };
}
