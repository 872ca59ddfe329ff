// npm run fuzz [-- count [seed]]: asks the real worker many random requests (20,000 by default) and fails when one breaks a rule.
// Node 20 runs no TypeScript, so the fuzzer is bundled first, into a file beside it that is gone again when it runs.
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [count = 20_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number);
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  console.error("usage: npm run fuzz [-- count [seed]]");
  process.exit(2);
}

const bundle = new URL(`.fuzz-${process.pid}.mjs`, import.meta.url);
await build({
  entryPoints: [fileURLToPath(new URL("fuzz.ts", import.meta.url))],
  outfile: fileURLToPath(bundle),
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
});
const { fuzz } = await import(bundle.href).finally(() => rm(bundle));
process.exitCode = (await fuzz(count, seed)) === 0 ? 0 : 1;
