// npm run fuzz [-- count [seed]]: sends random requests (default: 20,000) to the real worker and fails if a rule is broken.
import { fileURLToPath } from "node:url";
import { importBundled } from "../support/bundled.mjs";

const [count = 20_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number);
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  console.error("usage: npm run fuzz [-- count [seed]]");
  process.exit(2);
}

const entry = fileURLToPath(new URL("fuzz.ts", import.meta.url));
const { fuzz } = await importBundled({ entryPoints: [entry] }, new URL(".", import.meta.url));
process.exitCode = (await fuzz(count, seed)) === 0 ? 0 : 1;
