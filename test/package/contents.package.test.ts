import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { PACKAGE_ROOT, packageRootPath } from "../support/package-root.ts";
import { packedFiles } from "../support/packed-files.ts";

/** All that the package may hold. Whatever else turns up is looked at before it is published. */
const EXPECTED = [
  /^(?:package\.json|README\.md|LICENSE|NOTICE|SECURITY\.md|CHANGELOG\.md)$/,
  /^docs\/[\w-]+\.(?:md|svg)$/,
  /^models\/[\w-]+\/MODEL_CARD\.md$/,
  /^examples\/(?:(?:duckdb|http|kubernetes|service)\/)?[\w-]+\.(?:md|mjs|yaml|service)$/,
  /^examples\/(?:requests\/[\w-]+\.json|service\/Dockerfile(?:\.dockerignore)?)$/,
  /^dist\/(?:sbom\.cdx\.json|THIRD_PARTY_LICENSES\.txt)$/,
  /^dist\/(?:chunks\/|umpire\/)?[\w.-]+\.c?js(?:\.map|\.LEGAL\.txt)?$/,
  /^dist\/(?:umpire\/)?ort[\w.-]+\.(?:mjs|wasm)$/,
  /^dist\/umpire\/models\/[\w-]+\/(?:manifest\.json|manifest\.json\.sha256|tokenizer\.json|MODEL_CARD\.md|(?:weights|features)\.bin|[\w-]+\.onnx)$/,
  /^dist\/label\/[\w-]+\.(?:html|css|js|svg)$/,
  /^dist\/playground\/(?:style\/)?[\w-]+\.(?:html|css|js|svg|json)$/,
  /^dist\/types\/(?:[\w.-]+\/)*[\w.-]+\.d\.ts$/,
];

/** Where people's folders lie on the usual systems. */
const HOME_FOLDERS = /(?:\/home\/|\/Users\/|\/root\/|[A-Z]:\\+Users\\+)\w[^\s"')]*/g;
const SECRETS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_\w{36}/g,
  /\bnpm_\w{36}\b/g,
  /\bxox[abprs]-[\w-]{10,}/g,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\./g,
  /\bsk-[\w-]{20,}/g,
  /_authToken\b/g,
];

/** Made by onnxruntime's makers, so the folders in them are theirs, or those that Emscripten pretends there are. */
const isOfOthers = (path: string): boolean => /\bort[\w.-]*\.(?:wasm|mjs|js)$/.test(path);

describe("the package", () => {
  let paths: readonly string[];
  beforeAll(async () => {
    paths = [...(await packedFiles())];
  });
  const bytesAsText = (path: string): Promise<string> => readFile(new URL(path, PACKAGE_ROOT), "latin1");

  it("holds what a user needs, and nothing else", () => {
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((path) => !EXPECTED.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(paths.filter((path) => /(?<!self-)\b(?:test|spec|fixture)s?\b/.test(path))).toEqual([]);
  });

  it("holds its bill of materials, and the licences' texts", () => {
    expect(paths).toEqual(expect.arrayContaining(["NOTICE", "LICENSE", "dist/sbom.cdx.json", "dist/THIRD_PARTY_LICENSES.txt"]));
  });

  it("names no folder of the machine that built it, and holds no secret", async () => {
    for (const path of paths) {
      const text = await bytesAsText(path);
      expect(text.includes(packageRootPath), path).toBe(false);
      expect(isOfOthers(path) ? null : text.match(HOME_FOLDERS), path).toBeNull();
      for (const secret of SECRETS) expect(text.match(secret), path).toBeNull();
    }
  });

  it("has source maps with names of files in this repository, without their text", async () => {
    const maps = paths.filter((path) => path.endsWith(".map"));
    expect(maps.length).toBeGreaterThan(10);
    for (const path of maps) {
      const map = JSON.parse(await bytesAsText(path)) as { sources: readonly string[]; sourcesContent?: unknown; sourceRoot?: unknown };
      expect(map.sourcesContent, path).toBeUndefined();
      expect(map.sourceRoot ?? "", path).toBe("");
      // What the build makes up has a scheme, such as `built-in:assets`.
      const files = map.sources.filter((source) => !/^(?:built-in|required-built-in):/.test(source));
      const outside = files.filter((source) => {
        const file = fileURLToPath(new URL(source, new URL(path, PACKAGE_ROOT)));
        return !/^(?:src|node_modules)\//.test(file.slice(fileURLToPath(PACKAGE_ROOT).length)) || !existsSync(file);
      });
      expect(outside, path).toEqual([]);
    }
  });
});
