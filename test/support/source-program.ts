import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { runScript } from "./child-program.ts";
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
    format: "esm",
    platform: "node",
    external: ["onnxruntime-node", "onnxruntime-web", "@huggingface/tokenizers"],
    // That of the built package, whose worker refuses any other.
    define: { UMPIRE_VERSION: JSON.stringify(version) },
  });
  // Beside this file, from where packages are found; as an argument of Node's it would be too long.
  const script = fileURLToPath(new URL(`.bundled-${randomUUID()}.mjs`, import.meta.url));
  await writeFile(script, outputFiles[0]?.text ?? "");
  try {
    return await runScript(script);
  } finally {
    await rm(script);
  }
}
