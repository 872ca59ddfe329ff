import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { runProgram } from "./child-program.ts";
import type { ProgramResult } from "./child-program.ts";
import { PACKAGE_ROOT } from "./package-root.ts";

const { version } = JSON.parse(await readFile(new URL("package.json", PACKAGE_ROOT), "utf8")) as { version: string };

/** Runs a program in a new process whose TypeScript source may import the package's sources, by paths that start at `src/`. */
export async function runSource(source: string): Promise<ProgramResult> {
  const stdin = { contents: source, loader: "ts", resolveDir: fileURLToPath(new URL("../../", import.meta.url)) } as const;
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    write: false,
    // A program's text is an argument of Node's, and the system takes no more than 128 KiB as one.
    minify: true,
    format: "esm",
    platform: "node",
    external: ["onnxruntime-node", "onnxruntime-web", "@huggingface/tokenizers"],
    // That of the built package, whose worker refuses any other.
    define: { UMPIRE_VERSION: JSON.stringify(version) },
  });
  return runProgram(outputFiles[0]?.text ?? "");
}
