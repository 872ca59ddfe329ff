// Every npm script begins with this. Before `npm ci` it would fail with whatever it misses first: `sh: tsc: not found`, or ERR_MODULE_NOT_FOUND.
import { existsSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
// An install that was broken off, and one without the packages for development, have some of them.
const missing = Object.keys({ ...dependencies, ...devDependencies }).filter(
  (name) => !existsSync(new URL(`node_modules/${name}/package.json`, root)),
);
if (missing.length > 0) {
  process.stderr.write("The packages that this needs are not installed yet: run `npm ci` first.\n");
  process.exitCode = 1;
}
