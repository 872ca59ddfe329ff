// Bundles the entries to dist/. The type declarations come from tsc, next in the build script.
//   dist/              the entries; for Node also its worker, the command line, and what starts the wasm runtime there
//   dist/umpire/       the folder that must lie beside a page's script: worker, runtime and models, and what a page loads on demand. Node reads its models there, too
//   dist/playground/   the files of the playground's page, without those of the library
//   dist/sbom.cdx.json, dist/THIRD_PARTY_LICENSES.txt   what of others is in these files
import { createHash } from "node:crypto";
import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, resolve } from "node:path";
import { build } from "esbuild";
import { minify } from "terser";
import { assemble } from "./examples/playground/assemble.mjs";
import { otherPackagesIn } from "./packaging/runtime-scripts.mjs";
import { BASE_PACK } from "./packaging/umpire-base/fill.mjs";
import { writeBill } from "./packaging/write-bill.mjs";

const RUNTIME = "node_modules/onnxruntime-web/dist";
/** The smallest builds of the runtime: one for wasm, one with WebGPU. (The other build with WebGPU, asyncify, is 10 MB larger.) */
const RUNTIMES = {
  wasm: { script: "ort.wasm.bundle.min.mjs", binary: "ort-wasm-simd-threaded.wasm" },
  webgpu: { script: "ort.jspi.bundle.min.mjs", binary: "ort-wasm-simd-threaded.jspi.wasm" },
};
/** Starts the wasm runtime on Node, and its threads. It must stay a file of its own. */
const NODE_RUNTIME = "ort-wasm-simd-threaded.mjs";
const MANIFEST = "manifest.json";

const { version } = JSON.parse(await readFile("package.json", "utf8"));
await rm("dist", { recursive: true, force: true });
const ids = (await readdir("models", { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
const packs = [];
/** Of the pack in packaging/umpire-base; undefined while there is none. */
let baseBytes;
for (const id of ids) {
  const manifest = await readFile(`models/${id}/${MANIFEST}`).catch(() => undefined);
  if (manifest === undefined) continue;
  // It has a package of its own, and is no part of this one.
  if (id === BASE_PACK) {
    const { files } = JSON.parse(manifest.toString());
    baseBytes = Object.values(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    continue;
  }
  await cp(`models/${id}`, `dist/umpire/models/${id}`, { recursive: true });
  const { description, releaseDate } = JSON.parse(manifest.toString());
  packs.push({ id, bytes: manifest, description, releaseDate });
}
const copies = [];
for (const { script, binary } of Object.values(RUNTIMES)) {
  // The map is not shipped, and Vite's server would report it as missing.
  await writeFile(`dist/umpire/${script}`, (await readFile(`${RUNTIME}/${script}`, "utf8")).replace(/\/\/# sourceMappingURL=.*/, ""));
  await cp(`${RUNTIME}/${binary}`, `dist/umpire/${binary}`);
  copies.push({ from: `${RUNTIME}/${script}`, to: `dist/umpire/${script}`, alsoFrom: await otherPackagesIn(`${RUNTIME}/${script}`) });
  copies.push({ from: `${RUNTIME}/${binary}`, to: `dist/umpire/${binary}` });
}
await cp(`${RUNTIME}/${NODE_RUNTIME}`, `dist/${NODE_RUNTIME}`);
copies.push({ from: `${RUNTIME}/${NODE_RUNTIME}`, to: `dist/${NODE_RUNTIME}` });

const shared = {
  bundle: true,
  format: "esm",
  target: "es2022",
  outdir: "dist",
  sourcemap: true,
  legalComments: "linked",
  // Files and lines are enough to read a stack. With the text of all sources the package would exceed 30 MB.
  sourcesContent: false,
  define: {
    UMPIRE_VERSION: JSON.stringify(version),
    UMPIRE_SEALS: JSON.stringify(packs.map(({ bytes }) => sha256(bytes)).join(" ")),
    UMPIRE_BASE_BYTES: String(baseBytes),
  },
  logLevel: "warning",
  metafile: true,
};
const metafiles = [];
const bundle = async (options) => metafiles.push((await build({ ...shared, ...options })).metafile);

const forNode = {
  platform: "node",
  target: "node20.19",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  // Small libraries are bundled, and so is the wasm runtime. The native one is a dependency, and not there on every machine.
  external: [
    "umpire",
    "onnxruntime-node",
    "commander",
    "libsql",
    "bullmq",
    "ioredis",
    "hyparquet",
    "hyparquet-writer",
    "@modelcontextprotocol/sdk",
  ],
  mainFields: ["module", "main"],
  plugins: [requiredBuiltIns(), onlyReadingOfHub(), withoutMapsOfLibraries()],
};
/** What the library loads when it is first used, as src/library/decider/create-decider.ts says. */
const ON_DEMAND_OF_LIBRARY = {
  bulk: "src/library/bulk/decide-many.ts",
  lessons: "src/library/lessons/index.ts",
  explain: "src/library/explain/explain.ts",
  check: "src/library/check/check.ts",
};
/** What the engine loads when it needs it: families of models that are not built in, and what checks the manifests of such models. */
const ON_DEMAND_OF_ENGINE = {
  pair: "src/library/engine/families/pair/family.ts",
  gliclass: "src/library/engine/families/gliclass/family.ts",
  manifests: "src/library/engine/families/manifests.ts",
  language: "src/library/engine/language.ts",
};
/** What Node's entry does. */
const ON_DEMAND_IN_ENTRY = {
  ...ON_DEMAND_OF_LIBRARY,
  engine: "src/library/platform/node/engine.ts",
  runtimes: "src/library/platform/node/runtimes.ts",
  "env-paths": "node_modules/env-paths/index.js",
};
const ON_DEMAND_ON_NODE = {
  ...ON_DEMAND_IN_ENTRY,
  ...ON_DEMAND_OF_ENGINE,
  "onnxruntime-web": "node_modules/onnxruntime-web/dist/ort.node.min.mjs",
};
/** With the version: a program whose package is updated while it runs must not load parts of another one. */
const chunkOf = (name) => `chunks/${name}-${version}`;
// What starts first is one script each, since twenty small ones are read one after the other.
const atOnce = { ...forNode, splitting: false };
const onDemandPath = (name) => `./${chunkOf(name)}.js`;
await bundle({
  ...atOnce,
  plugins: [...forNode.plugins, onDemand(ON_DEMAND_ON_NODE, onDemandPath)],
  entryPoints: { "index.node": "src/index.node.ts" },
});
// A program's bundler would follow the imports to the runtimes, which it cannot bundle. And a bundle lies elsewhere: so does what it imports.
await importByUrl("dist/index.node.js", Object.keys(ON_DEMAND_IN_ENTRY).length, "packageFolder(import.meta.url)");
// A CommonJS script, which a thread starts 8 ms sooner than an ES module.
await bundle({
  ...atOnce,
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  banner: { js: '"use strict"; const scriptUrl = require("node:url").pathToFileURL(__filename).href;' },
  define: { ...shared.define, "import.meta.url": "scriptUrl" },
  external: forNode.external.filter((name) => name !== "onnxruntime-node"),
  // Every model asks for the language. A thread's first import of an ES module takes 10 ms.
  plugins: [scriptsOfNativeRuntime(), ...forNode.plugins, onDemand(ON_DEMAND_ON_NODE, onDemandPath, ["language"])],
  entryPoints: { "worker.node": "src/library/worker/worker.node.ts" },
});
const onDemandOnNode = Object.entries(ON_DEMAND_ON_NODE).map(([name, source]) => [chunkOf(name), source]);
await bundle({
  ...forNode,
  entryPoints: {
    http: "src/service/handler/index.ts",
    // It is for pages, too: of Node it imports nothing.
    fetch: "src/service/fetch.ts",
    serve: "src/service/node/index.ts",
    cli: "src/tools/cli/bin.ts",
    ...Object.fromEntries(onDemandOnNode),
  },
});
// For Node and pages alike: "umpire" resolves to the right entry on each. Users bring the frameworks themselves.
const forFrameworks = { platform: "neutral", external: ["umpire", "@ai-sdk/provider", "@langchain/core", "@tanstack/ai"] };
await bundle({
  ...forFrameworks,
  entryPoints: { ai: "src/ai/index.ts", langchain: "src/ai/langchain.ts", tanstack: "src/ai/tanstack.ts" },
});
const ON_DEMAND_OF_WORKER = { ...ON_DEMAND_OF_ENGINE, webgpu: "src/library/platform/browser/webgpu.ts" };
/** What a page, or its worker, loads when it needs it. The worker's scripts lie beside it. */
const ON_DEMAND_IN_PAGES = { ...ON_DEMAND_OF_LIBRARY, ...ON_DEMAND_OF_WORKER };
const scriptInPages = (name) => (Object.hasOwn(ON_DEMAND_OF_WORKER, name) ? `./${name}.js` : `./umpire/${name}.js`);
const plugins = [
  onDemand(ON_DEMAND_IN_PAGES, scriptInPages),
  builtIn({ catalogue: catalogueModule(), assets: await assetsModule() }),
  withoutMapsOfLibraries(),
];
const forBrowsers = { platform: "browser", minify: true, plugins };
await bundle({ ...forBrowsers, entryPoints: { "index.browser": "src/index.browser.ts" } });
// One file: Vite's workers may have no chunks.
await bundle({ ...forBrowsers, entryPoints: { "umpire/worker": "src/library/worker/worker.browser.ts" } });
const onDemandScripts = Object.entries(ON_DEMAND_IN_PAGES).map(([script, source]) => [`umpire/${script}`, source]);
await bundle({ ...forBrowsers, entryPoints: Object.fromEntries(onDemandScripts) });
for (const script of ["index.browser", "umpire/worker", ...onDemandScripts.map(([script]) => script)])
  await minifyAgain(`dist/${script}.js`);
await leaveImportToTheBrowser("dist/umpire/worker.js");
await importByUrl("dist/index.browser.js", Object.keys(ON_DEMAND_OF_LIBRARY).length);
await importByUrl("dist/umpire/worker.js", Object.keys(ON_DEMAND_OF_WORKER).length);
await assemble("dist/playground");
// Its styles are the playground's.
await cp("examples/label", "dist/label", { recursive: true });
await writeBill({ metafiles, copies, packIds: packs.map(({ id }) => id) });

/** esbuild minifies fast, terser smaller: a page loads a kilobyte less, compressed. */
async function minifyAgain(script) {
  const map = `${script}.map`;
  const options = {
    module: true,
    ecma: 2020,
    // Nothing of ours is called with `new` that is not a class, and no getter does anything but get.
    compress: { passes: 2, unsafe_arrows: true, pure_getters: true },
    // What esbuild says about licences.
    format: { comments: /^!/ },
    sourceMap: { content: await readFile(map, "utf8"), url: basename(map) },
  };
  const minified = await minify(await readFile(script, "utf8"), options);
  await writeFile(script, minified.code);
  await writeFile(map, minified.map);
}

/**
 * Tells webpack and Vite to leave the import of the runtime alone. esbuild removes such comments when it removes white space
 * (https://github.com/evanw/esbuild/issues/653), and with its white space the worker would be 5 kB larger.
 */
async function leaveImportToTheBrowser(script) {
  const parts = (await readFile(script, "utf8")).split(/(?<=\bimport\()(?=\w+\.href\))/);
  if (parts.length !== 2) throw new Error(`${script} imports the runtime in ${parts.length - 1} places, not in one`);
  await writeFile(script, parts.join("/* webpackIgnore: true */ /* @vite-ignore */ "));
}

/**
 * Makes the imports of what is on demand imports of URLs, as the worker and its files are named: bundlers that look for such URLs copy the files, and no
 * bundler puts them into a page that only decides.
 */
async function importByUrl(script, count, base = "import.meta.url") {
  const parts = (await readFile(script, "utf8")).split(/\bimport\("(\.\/[\w/.-]+\.js)"\)/);
  if (parts.length !== 2 * count + 1) throw new Error(`${script} imports ${(parts.length - 1) / 2} scripts on demand`);
  const importOf = (path) => `import(/* webpackIgnore: true */ /* @vite-ignore */ new URL("${path}",${base}).href)`;
  await writeFile(script, parts.map((part, i) => (i % 2 === 1 ? importOf(part) : part)).join(""));
}

/** Bundled CommonJS (pino, prom-client) requires Node's own modules, but an ES module has no `require`. */
function requiredBuiltIns() {
  return {
    name: "required-built-ins",
    setup(bundler) {
      bundler.onResolve({ filter: /./ }, ({ path, kind }) =>
        kind === "require-call" && isBuiltin(path) ? { path, namespace: "required-built-in" } : undefined,
      );
      bundler.onLoad({ filter: /./, namespace: "required-built-in" }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      }));
    },
  };
}

/**
 * Marks the tables of @huggingface/tokenizers as free of side effects, so that esbuild leaves out those that are not used.
 * It keeps a call, and a table with template literals, because either could do something.
 */
function withPureTables(path, source) {
  if (!path.includes("tokenizers")) return source;
  return source
    .replaceAll(/^(var [A-Z_]+ = )(?:\/\* @__PURE__ \*\/ )?(new Map\(\[\n[^]*?\n\]\)|`[^`]*`);$/gm, "$1/* @__PURE__ */ (() => $2)();")
    .replaceAll(/^(var [A-Z_]+ = )(?=\(\(\) => \{$|\w+\([A-Z_]+\);$)/gm, "$1/* @__PURE__ */ ");
}

/**
 * Keeps bundled libraries out of the source maps, which makes the maps much smaller. esbuild uses a file's own source map where it has one,
 * and this one maps nothing but the first character (https://github.com/evanw/esbuild/issues/1685).
 */
function withoutMapsOfLibraries() {
  const minimalMap = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString("base64");
  return {
    name: "without-maps-of-libraries",
    setup(bundler) {
      bundler.onLoad({ filter: /node_modules.*\.[cm]?js$/ }, async ({ path }) => ({
        contents: `${withPureTables(path, await readFile(path, "utf8"))}\n//# sourceMappingURL=data:application/json;base64,${minimalMap}`,
        loader: "js",
      }));
    },
  };
}

/**
 * Leaves out of @huggingface/hub what nothing here calls and esbuild would keep: hashes for uploads and for another way to download, in script and in
 * wasm, 80 kB, since they set themselves up when they are imported.
 */
function onlyReadingOfHub() {
  return {
    name: "only-reading-of-hub",
    setup(bundler) {
      bundler.onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (pluginData === "resolved" || !/[\\/]@huggingface[\\/]hub[\\/]/.test(importer)) return;
        // In functions that are left out, but the scripts would be kept.
        if (kind === "dynamic-import") return { path, external: true };
        if (path !== "@huggingface/xetchunk-wasm") return;
        return { ...(await bundler.resolve(path, { kind, importer, resolveDir, pluginData: "resolved" })), sideEffects: false };
      });
    },
  };
}

/**
 * Bundles the scripts of onnxruntime-node and onnxruntime-common, twenty-two files, which take four times as long to load as its binding. The binding stays
 * where it is installed.
 */
function scriptsOfNativeRuntime() {
  const binding = /[\\/]onnxruntime-node[\\/]dist[\\/]binding\.js$/;
  return {
    name: "scripts-of-native-runtime",
    setup(bundler) {
      // It is imported on demand, but is part of the script.
      bundler.onResolve({ filter: /^onnxruntime-node$/ }, ({ path, kind, resolveDir }) =>
        kind === "dynamic-import" ? bundler.resolve(path, { kind: "import-statement", resolveDir }) : undefined,
      );
      bundler.onLoad({ filter: binding }, async ({ path }) => {
        const source = (await readFile(path, "utf8")).replace(/\/\/# sourceMappingURL=.*/, "");
        const parts = source.split("require(`../bin/");
        if (parts.length !== 2) throw new Error(`${path} requires its binding in ${parts.length - 1} places, not in one`);
        const requireInstalled = `require(${JSON.stringify(resolve("src/library/platform/node/require-installed.ts"))}).requireInstalled`;
        return { contents: parts.join(`${requireInstalled}(\`../bin/`) };
      });
    },
  };
}

/**
 * Leaves what is imported on demand in scripts of its own.
 * @param sources the scripts' names, each with the file that is imported
 * @param pathOf the path to a script from the one that imports it
 * @param bundled names of those that are part of the script all the same
 * @throws {Error} for an import on demand that is not listed
 */
function onDemand(sources, pathOf, bundled = []) {
  return {
    name: "on-demand",
    setup(bundler) {
      bundler.onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === "resolved" || bundler.initialOptions.external?.includes(path)) return;
        const found = await bundler.resolve(path, { kind, importer, resolveDir, pluginData: "resolved" });
        const name = Object.keys(sources).find((one) => resolve(sources[one]) === found.path);
        if (name === undefined) throw new Error(`${importer} imports ${path} on demand: list it in build.mjs.`);
        return bundled.includes(name) ? found : { path: pathOf(name), external: true };
      });
    },
  };
}

/** Makes the modules `umpire:<name>` that src/library/platform/browser/bundled.d.ts declares. */
function builtIn(modules) {
  return {
    name: "built-in",
    setup(bundler) {
      bundler.onResolve({ filter: /^umpire:/ }, ({ path }) => ({
        path: path.slice("umpire:".length),
        namespace: "built-in",
        sideEffects: false,
      }));
      bundler.onLoad({ filter: /.*/, namespace: "built-in" }, ({ path }) => ({ contents: modules[path], loader: "js" }));
    },
  };
}

/** Gives the files of a pack that a page's devices need. The library itself says which: only its families know what their packs hold. */
async function filesInPagesOf() {
  const contents = `export { filesFor, hasFilesFor, parseManifest } from "./library/engine/families/families.ts"; export { DEVICES } from "./library/engine/devices.ts";`;
  const stdin = { contents, loader: "ts", resolveDir: "src" };
  const { outputFiles } = await build({ stdin, bundle: true, format: "esm", platform: "node", write: false });
  const { filesFor, hasFilesFor, parseManifest, DEVICES } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
  );
  const placements = Object.keys(RUNTIMES).flatMap((device) => DEVICES[device].precisions.map((precision) => ({ device, precision })));
  return async (manifestText) => {
    const manifest = await parseManifest(manifestText);
    // A pack does not have to have a graph for every precision.
    const names = placements.map(async (placement) => ((await hasFilesFor(manifest, placement)) ? filesFor(manifest, placement) : []));
    return [...new Set((await Promise.all(names)).flat())];
  };
}

function catalogueModule() {
  return `export const catalogue = ${JSON.stringify(packs.map(({ id, description, releaseDate }) => ({ id, description, releaseDate })))};`;
}

/** Writes each URL as a literal relative to dist/umpire/, for bundlers to find. */
async function assetsModule() {
  const url = (path) => `new URL(${JSON.stringify(`./${path}`)}, import.meta.url)`;
  const object = (entries) => `{ ${entries.map(([key, code]) => `${JSON.stringify(key)}: ${code}`).join(", ")} }`;
  const asset = (path, bytes) =>
    object([
      ["name", JSON.stringify(path.split("/").at(-1))],
      ["url", url(path)],
      ["sizeBytes", String(bytes.length)],
      ["sha256", JSON.stringify(sha256(bytes))],
    ]);
  const runtimes = Object.entries(RUNTIMES).map(async ([device, { script, binary }]) => [
    device,
    object([
      ["script", url(script)],
      ["binary", asset(binary, await readFile(`${RUNTIME}/${binary}`))],
    ]),
  ]);
  const filesInPages = await filesInPagesOf();
  const listed = packs.map(async ({ id, bytes }) => {
    const seal = await readFile(`models/${id}/${MANIFEST}.sha256`, "utf8");
    const names = await filesInPages(bytes.toString());
    return [
      id,
      object([
        ["manifest", asset(`models/${id}/${MANIFEST}`, bytes)],
        ["seal", JSON.stringify(seal)],
        ["files", object(names.map((name) => [name, url(`models/${id}/${name}`)]))],
      ]),
    ];
  });
  return `export const packs = ${object(await Promise.all(listed))}; export const runtimes = ${object(await Promise.all(runtimes))};`;
}

function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}
