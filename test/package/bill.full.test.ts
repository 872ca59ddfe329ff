import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { build } from "esbuild";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundledPackages } from "../../packaging/bundled.mjs";
import { otherPackagesIn } from "../../packaging/runtime-scripts.mjs";
import { PACKAGE_ROOT, packageRootPath } from "../support/package-root.ts";
import { tempDir } from "../support/temp-dir.ts";

interface Component {
  readonly type: string;
  readonly "bom-ref"?: string;
  readonly group?: string;
  readonly name: string;
  readonly version?: string;
  readonly scope?: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly { readonly license: { readonly id: string; readonly text?: { readonly content: string } } }[];
  readonly components?: readonly Component[];
  readonly evidence?: { readonly occurrences: readonly { readonly location: string }[] };
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}
interface Sbom {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const SBOM = "dist/sbom.cdx.json";
const TEXTS = "dist/THIRD_PARTY_LICENSES.txt";
const read = (path: string): Promise<string> => readFile(new URL(path, PACKAGE_ROOT), "utf8");
const readJson = async (path: string): Promise<unknown> => JSON.parse(await read(path));

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`);
const isBundled = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === "umpire:bundled" && value === "true");
const placesOf = ({ evidence }: Component): string[] => evidence?.occurrences.map(({ location }) => location) ?? [];
/** The package that a path in node_modules belongs to. */
const packageOf = (path: string): string | undefined => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

describe("the bill of materials", () => {
  let sbom: Sbom;
  let bundled: readonly Component[];
  beforeAll(async () => {
    sbom = (await readJson(SBOM)) as Sbom;
    bundled = sbom.components.filter(isBundled);
  });
  const packagesIn = (file: string): string[] => bundled.filter((one) => placesOf(one).includes(file)).map(nameOf);

  it("is valid CycloneDX 1.6", async () => {
    const schemas = join(dirname(createRequire(import.meta.url).resolve("@cyclonedx/cyclonedx-library/package.json")), "res/schema");
    const schema = async (file: string): Promise<object> => JSON.parse(await readFile(join(schemas, file), "utf8")) as object;
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    for (const file of ["spdx", "jsf-0.82", "cryptography-defs"].map((name) => `${name}.SNAPSHOT.schema.json`)) {
      ajv.addSchema(await schema(file), `http://cyclonedx.org/schema/${file}`);
    }
    const validate = ajv.compile(await schema("bom-1.6.SNAPSHOT.schema.json"));
    validate(sbom);
    expect(validate.errors).toBeNull();
  });

  it("lists, for every script for Node, the packages that esbuild names in it", async () => {
    const scripts = (await readdir(new URL("dist/", PACKAGE_ROOT), { recursive: true })).filter(
      (path) => path.endsWith(".js") && !/^(?:umpire|playground|types)\/|^index\.browser/.test(path),
    );
    expect(scripts.length).toBeGreaterThan(10);
    const found = await Promise.all(
      scripts.map(async (path) => {
        // esbuild writes each module's path before its code, unless it minifies.
        const named = (await read(`dist/${path}`)).matchAll(/^\s*\/\/ (node_modules\/\S+)$/gm);
        const packages = [...new Set([...named].map(([, module = ""]) => packageOf(module)))];
        expect(packagesIn(`dist/${path}`).sort(), path).toEqual(packages.sort());
        return packages;
      }),
    );
    expect(found.flat().length).toBeGreaterThan(20);
  });

  it.each([
    ["src/index.browser.ts", "dist/index.browser.js"],
    ["src/library/worker/worker.browser.ts", "dist/umpire/worker.js"],
  ])("lists the packages that %s is bundled with", async (entry, file) => {
    const { metafile } = await build({
      absWorkingDir: packageRootPath,
      entryPoints: [entry],
      outdir: "unwritten",
      bundle: true,
      format: "esm",
      platform: "browser",
      external: ["umpire:*"],
      define: { UMPIRE_VERSION: '""' },
      metafile: true,
      write: false,
    });
    const packages = new Set(Object.keys(metafile.inputs).flatMap((path) => packageOf(path) ?? []));
    expect(packages.size).toBeGreaterThan(0);
    expect(packagesIn(file).sort()).toEqual([...packages].sort());
  });

  it("lists the files that are copied, by their hashes", async () => {
    const files = bundled.flatMap(({ components = [] }) => components);
    const paths = (await readdir(new URL("dist/", PACKAGE_ROOT), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(fileURLToPath(PACKAGE_ROOT).length))
      .filter((path) => /\.wasm$|\.mjs$|^dist\/umpire\/models\//.test(path));
    expect(files.map(({ name }) => name).sort()).toEqual(paths.sort());
    for (const { name, hashes } of files) {
      const sha256 = createHash("sha256")
        .update(await readFile(new URL(name, PACKAGE_ROOT)))
        .digest("hex");
      expect(hashes, name).toEqual([{ alg: "SHA-256", content: sha256 }]);
    }
  });

  it("says which version each part has, with its licence's id and text, and the text for people says the same", async () => {
    const texts = await read(TEXTS);
    for (const component of bundled.filter(({ type }) => type === "library")) {
      const name = nameOf(component);
      const { version } = (await readJson(`node_modules/${name}/package.json`)) as { version: string };
      expect(component.version, name).toBe(version);
      const [{ license } = { license: undefined }] = component.licenses;
      expect(license?.text?.content.length, name).toBeGreaterThan(500);
      expect(texts).toContain(`\n${name} ${version}, ${license?.id ?? ""}\n`);
      expect(texts.includes(license?.text?.content ?? ""), name).toBe(true);
    }
  });

  it("lists the models by their seal, with what they were trained from", async () => {
    const models = bundled.filter(({ type }) => type === "machine-learning-model");
    expect(models.map(({ name }) => name)).toEqual(["umpire-2"]);
    const [seal] = (await read("models/umpire-2/manifest.json.sha256")).split(" ");
    expect(models[0]).toMatchObject({
      hashes: [{ alg: "SHA-256", content: seal }],
      licenses: [{ license: { id: "Apache-2.0" } }],
      pedigree: { ancestors: [{ name: "all-MiniLM-L6-v2", licenses: [{ license: { id: "Apache-2.0" } }] }] },
    });
    expect(await read(TEXTS)).toContain("\nall-MiniLM-L6-v2 ");
  });

  it("has all parts in common with NOTICE", async () => {
    const words = (await read("NOTICE")).split(/[\s,]+/);
    const packages = bundled.filter(({ type }) => type === "library").map(nameOf);
    expect(packages.filter((name) => !words.includes(name))).toEqual([]);
  });

  it("includes the notices of what is compiled into onnxruntime", async () => {
    for (const part of ["abseil-cpp", "google/flatbuffers", "emsdk", "Eigen"]) expect(await read(TEXTS)).toContain(`\n${part}\n`);
  });

  it("lists as not bundled what a user installs besides", async () => {
    const { dependencies, optionalDependencies, peerDependencies } = (await readJson("package.json")) as Record<string, object>;
    const external = sbom.components.filter((component) => !isBundled(component));
    const names = [dependencies, optionalDependencies, peerDependencies].flatMap((group = {}) => Object.keys(group));
    expect(external.map(nameOf).sort()).toEqual(names.sort());
    const required = external.filter(({ scope }) => scope === "required").map(nameOf);
    expect(required).toEqual(Object.keys(dependencies ?? {}));
  });

  it("names every part once, and nothing depends on a part that is not listed", () => {
    const refs = sbom.components.map((component) => component["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    const [root, ...others] = sbom.dependencies;
    expect([root, ...others].flatMap((one) => one?.dependsOn ?? []).filter((ref) => !refs.includes(ref))).toEqual([]);
    // Whatever is bundled is needed by something.
    const needed = new Set(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect(refs.filter((ref) => !needed.has(ref ?? ""))).toEqual([]);
  });

  it("is small, and the same for the same sources: it has no time and no random number", async () => {
    expect(Buffer.byteLength(await read(SBOM))).toBeLessThan(500_000);
    expect(await read(SBOM)).not.toMatch(/"(?:timestamp|serialNumber)"/);
  });

  it("needs every text that is kept for a package without one", async () => {
    const kept = (await readdir(new URL("packaging/licences/", PACKAGE_ROOT), { recursive: true })).filter((path) =>
      path.endsWith("/LICENSE"),
    );
    const versions = bundled.map((one) => `${nameOf(one)}@${one.version ?? ""}`);
    expect(kept.map(dirname).filter((folder) => !versions.includes(folder))).toEqual([]);
  });
});

describe("a build", () => {
  let project: string;
  beforeEach(async () => {
    project = tempDir();
    await mkdir(join(project, "node_modules/leftpad"), { recursive: true });
    await writeFile(join(project, "entry.js"), `import pad from "leftpad";\nconsole.log(pad);\n`);
    await writeFile(join(project, "node_modules/leftpad/index.js"), "export default 1;\n");
  });

  const packages = async (manifest: object): ReturnType<typeof bundledPackages> => {
    await writeFile(join(project, "node_modules/leftpad/package.json"), JSON.stringify({ name: "leftpad", main: "index.js", ...manifest }));
    const paths = { absWorkingDir: project, entryPoints: ["entry.js"], outdir: "dist" };
    const { metafile } = await build({ ...paths, bundle: true, format: "esm", metafile: true, write: false });
    return bundledPackages([metafile], [], project);
  };

  it("lists a package that it bundles, with its licence", async () => {
    await writeFile(join(project, "node_modules/leftpad/LICENCE.md"), "\uFEFFDo as you like.\r\nReally.\r\n");
    await writeFile(join(project, "node_modules/leftpad/NOTICE"), "Made by me.\n");
    const [leftpad, ...others] = await packages({ version: "1.2.3", license: "MIT" });
    expect(others).toEqual([]);
    expect(leftpad).toMatchObject({ name: "leftpad", version: "1.2.3", usedByUs: true });
    expect(leftpad?.licence).toEqual({ id: "MIT", text: "Do as you like.\nReally.\n\nMade by me." });
    expect([...(leftpad?.files ?? [])]).toEqual(["dist/entry.js"]);
  });

  it("knows that it uses a package by an index, of which nothing is bundled", async () => {
    await writeFile(join(project, "node_modules/leftpad/index.js"), 'export { default } from "./pad.js";\n');
    await writeFile(join(project, "node_modules/leftpad/pad.js"), "export default 1;\n");
    await writeFile(join(project, "node_modules/leftpad/LICENSE"), "Text.");
    expect(await packages({ version: "1.2.3", license: "MIT" })).toMatchObject([{ name: "leftpad", usedByUs: true }]);
  });

  it("fails if a bundled package has no licence text, and says where to put it", async () => {
    await expect(packages({ version: "1.2.3", license: "MIT" })).rejects.toThrow(
      "leftpad 1.2.3 is bundled, but has no file with its licence. Put the licence's text into packaging/licences/leftpad@1.2.3/LICENSE.",
    );
    await writeFile(join(project, "node_modules/leftpad/LICENSE"), " \n");
    await writeFile(join(project, "node_modules/leftpad/NOTICE"), "Made by me.\n");
    await expect(packages({ version: "1.2.3", license: "MIT" })).rejects.toThrow("has no file with its licence");
  });

  it.each([undefined, "UNLICENSED", "SEE LICENSE IN LICENSE", { type: "MIT" }])(
    "fails if a bundled package's licence is %j",
    async (license) => {
      await writeFile(join(project, "node_modules/leftpad/LICENSE"), "Text.");
      await expect(packages({ version: "1.2.3", license })).rejects.toThrow(
        "leftpad 1.2.3 is bundled, but the licence in its package.json",
      );
    },
  );

  it("fails if a bundled package has no version", async () => {
    await expect(packages({ license: "MIT" })).rejects.toThrow("has no name or no version");
  });

  it("knows whose code is in onnxruntime's scripts, and fails if there is code of somebody else", async () => {
    const parts = (script: string): Promise<string[]> =>
      otherPackagesIn(join(packageRootPath, "node_modules/onnxruntime-web/dist", script));
    expect(await parts("ort.wasm.bundle.min.mjs")).toEqual(["node_modules/onnxruntime-common"]);
    expect(await parts("ort.jspi.bundle.min.mjs")).toEqual(["node_modules/onnxruntime-common"]);
    expect(await parts("ort.node.min.mjs")).toEqual([]);
    // The build with everything, which we do not ship.
    await expect(parts("ort.all.bundle.min.mjs")).rejects.toThrow(/holds code of \S*guid-typescript\S*\. Say in packaging/);
  });
});
