// npm run fuzz [-- count [seed]]: asks the real worker many random requests (20,000 by default) and fails when one breaks a rule.
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
