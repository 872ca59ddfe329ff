// Builds the extension from its own files, the built library and the files that the library needs.
//   npm run build && node examples/extension/build.mjs [chromium|firefox] [--out <folder>]
// Builds for both browsers unless one is named. Writes to build/<browser>/ beside this file, or to <folder> (for both: <folder>/<browser>/).
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));
const BROWSERS = ["chromium", "firefox"];
/** Everything else is the same for both browsers. */
const ONLY_IN = { chromium: ["background.chromium.js", "offscreen.html", "offscreen.js"], firefox: ["background.firefox.js"] };
/** Only those for wasm: see decider-host.js. */
const RUNTIME = ["ort.wasm.bundle.min.mjs", "ort-wasm-simd-threaded.wasm"];
const NOTICES = ["LICENSE", "NOTICE"];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
const [only] = positionals;
if (positionals.length > 1 || (only !== undefined && !BROWSERS.includes(only))) {
  console.error(`Unknown browser. Choose one of: ${BROWSERS.join(", ")}.`);
  process.exit(2);
}
for (const browser of only === undefined ? BROWSERS : [only]) {
  const out = values.out === undefined ? join(HERE, "build", browser) : only === undefined ? join(values.out, browser) : values.out;
  await buildFor(browser, resolve(out));
  console.log(`${browser}: ${resolve(out)}`);
}

async function buildFor(browser, out) {
  const { version } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));
  const manifest = JSON.parse(await readFile(join(HERE, `manifest.${browser}.json`), "utf8"));
  await clear(out, manifest);
  const others = BROWSERS.filter((name) => name !== browser).flatMap((name) => ONLY_IN[name]);
  for (const name of await readdir(join(HERE, "src"))) {
    if (!name.endsWith(".d.ts") && !others.includes(name)) await cp(join(HERE, "src", name), join(out, name));
  }
  await writeFile(join(out, "manifest.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  await cp(join(HERE, "icons"), join(out, "icons"), {
    recursive: true,
    filter: (path) => !path.endsWith(".mjs") && !path.endsWith(".svg"),
  });
  for (const name of NOTICES) await cp(join(PACKAGE, name), join(out, name));
  await copyLibrary(join(PACKAGE, "dist"), out);
}

/** Deletes only a former build: any other folder may hold somebody's files. */
async function clear(out, { name }) {
  const there = await readdir(out).catch(() => []);
  const former = await readFile(join(out, "manifest.json"), "utf8").then(JSON.parse, () => undefined);
  if (there.length > 0 && former?.name !== name) throw new Error(`${out} holds something other than this extension. Name an empty folder.`);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
}

async function copyLibrary(dist, out) {
  const copy = async (name) => cp(join(dist, name), join(out, name));
  try {
    for (const name of ["index.browser.js", "index.browser.js.LEGAL.txt", "THIRD_PARTY_LICENSES.txt"]) await copy(name);
    for (const name of ["worker.js", "worker.js.LEGAL.txt", "language.js", ...RUNTIME]) await copy(`umpire/${name}`);
    for (const id of await readdir(join(dist, "umpire/models"))) {
      const manifest = JSON.parse(await readFile(join(dist, "umpire/models", id, "manifest.json"), "utf8"));
      const { tokenizer, weights, graphs, features } = manifest;
      const names = ["manifest.json", "MODEL_CARD.md", tokenizer.file, weights, graphs.int8, features.basis.file];
      for (const name of names) await copy(`umpire/models/${id}/${name}`);
    }
  } catch (cause) {
    throw new Error("The library's files cannot be copied. Build it first: npm run build", { cause });
  }
}
