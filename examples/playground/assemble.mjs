// Gathers the page, the built library and the example requests in one folder of static files.
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL(".", import.meta.url));
const LIBRARY = fileURLToPath(new URL("../../dist/", import.meta.url));
const REQUESTS = fileURLToPath(new URL("../requests/", import.meta.url));
/** The page's own files. Scripts for Node end in .mjs and are left out. */
const PAGE_FILES = new Set([".html", ".css", ".js", ".svg"]);
/** The example that a new visitor sees first. */
const FIRST_EXAMPLE = "support-ticket.json";

/** @param {string} folder is emptied first */
export async function assemble(folder) {
  if (!existsSync(join(LIBRARY, "index.browser.js"))) throw new Error("The library is not built yet. Run `npm run build` first.");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(PAGE, folder, { recursive: true, filter: (path) => extname(path) === "" || PAGE_FILES.has(extname(path)) });
  await cp(join(LIBRARY, "umpire"), join(folder, "umpire"), { recursive: true, filter: (path) => !path.endsWith(".map") });
  for (const script of ["index.browser.js", "umpire/worker.js"]) await copyWithoutMap(script, folder);
  await writeFile(join(folder, "requests.json"), JSON.stringify(await readRequests()));
}

/** Source maps are not copied, so the scripts must not name them. */
async function copyWithoutMap(script, folder) {
  const text = await readFile(join(LIBRARY, script), "utf8");
  await writeFile(join(folder, script), text.replace(/^\/\/# sourceMappingURL=.*\n?/m, ""));
}

async function readRequests() {
  const names = (await readdir(REQUESTS)).filter((name) => name.endsWith(".json")).sort();
  names.sort((a, b) => Number(b === FIRST_EXAMPLE) - Number(a === FIRST_EXAMPLE));
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(REQUESTS, name), "utf8"))));
}
