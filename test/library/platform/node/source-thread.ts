import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { WorkerOptions } from "node:worker_threads";
import { build } from "esbuild";

/** Starts a thread whose TypeScript source may import the package's sources. It is bundled first, because Node 20 runs no TypeScript. */
export async function startThread(source: string, options?: WorkerOptions): Promise<Worker> {
  const stdin = { contents: source, loader: "ts", resolveDir: fileURLToPath(new URL(".", import.meta.url)) } as const;
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "cjs", platform: "node", packages: "external" });
  return new Worker(outputFiles[0]?.text ?? "", { ...options, eval: true });
}
