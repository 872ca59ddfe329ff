// Bundles the entries to dist/. The type declarations come from tsc, next in the build script.
import { rm } from "node:fs/promises";
import { build } from "esbuild";

await rm("dist", { recursive: true, force: true });

const shared = {
  bundle: true,
  format: "esm",
  target: "es2022",
  outdir: "dist",
  sourcemap: true,
  legalComments: "linked",
  logLevel: "warning",
};

await build({
  ...shared,
  entryPoints: { "index.node": "src/index.node.ts", "worker.node": "src/worker/worker.node.ts", cli: "src/cli/main.ts" },
  platform: "node",
  target: "node20.19",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  // Small libraries are bundled; the native runtime is the one dependency.
  external: ["onnxruntime-node", "commander"],
  mainFields: ["module", "main"],
});
await build({ ...shared, entryPoints: { "index.browser": "src/index.browser.ts" }, platform: "browser" });
