// npm run fuzz [-- cases [seed]]: the long form of every file with properties. Each property has so many cases (default: 5,000), all from one seed.
import { spawn } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [cases = 5000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number);
if (!Number.isInteger(cases) || cases < 1 || !Number.isInteger(seed)) {
  console.error("usage: npm run fuzz [-- cases [seed]]");
  process.exit(2);
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const tests = (await readdir(join(root, "test"), { recursive: true })).filter((name) => name.endsWith(".test.ts"));
const texts = await Promise.all(tests.map(async (name) => [name, await readFile(join(root, "test", name), "utf8")]));
const files = texts.filter(([, text]) => /\bfc\.(asyncP|p)roperty\(/.test(text)).map(([name]) => `test/${name}`);

console.log(`${cases} cases of each property, seed ${seed}: ${files.length} files`);
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", "unit", "--project", "package", "--testTimeout=0", ...files];
const env = { ...process.env, UMPIRE_PROPERTY_CASES: `${cases}`, UMPIRE_PROPERTY_SEED: `${seed}` };
const child = spawn(process.execPath, vitest, { cwd: root, env, stdio: "inherit" });
child.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
