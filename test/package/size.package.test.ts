import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { FIRST_VISIT, sizeRows } from "../../packaging/size.mjs";
import { filesFor, parseManifest } from "../../src/library/engine/families/families.ts";
import { textOf } from "../support/guides.ts";
import { PACK_URL } from "../support/package-root.ts";
import { packedOnce } from "../support/packed-files.ts";

/** Versions of npm and of Node compress a little differently. */
const TOLERANCE = 0.01;

describe("the sizes that the guides state", () => {
  let rows: readonly [what: string, size: string][];
  beforeAll(async () => {
    rows = await sizeRows(await packedOnce());
  });
  const sizeOf = (what: string): number => parseFloat(rows.find(([name]) => name === what)?.[1] ?? "");

  it("are those of the package: in the table of docs/speed.md", () => {
    const page = textOf("docs/speed.md");
    const stated = [...page.slice(page.indexOf("## Size")).matchAll(/^\| ([^|]+) \| ([\d.]+ [kM]B) \|$/gmu)];
    expect(stated.map(([, what]) => what)).toEqual(rows.map(([what]) => what));
    for (const [i, [, what = "", size = ""]] of stated.entries()) {
      expect(size.split(" ")[1], what).toBe(rows[i]?.[1].split(" ")[1]);
      expect(Math.abs(parseFloat(size) / sizeOf(what) - 1), what).toBeLessThan(TOLERANCE);
    }
  });

  it.each([
    ["README.md", /The package has (\d+) MB/u, "the package, as it is downloaded"],
    ["README.md", /onnxruntime-node has (\d+), unpacked/u, "onnxruntime-node, its optional dependency, unpacked"],
    ["README.md", /a page's first visit loads (\d+) MB, compressed/u, "the same, compressed by gzip"],
    ["docs/page.md", /The first visit fetches (\d+)\.\d MB/u, "a page's first visit"],
    ["docs/page.md", /or (\d+) MB where the server compresses/u, "the same, compressed by gzip"],
  ])("are those of the package: in %s, %s", (path, pattern, what) => {
    const stated = Number(pattern.exec(textOf(path))?.[1]);
    expect(Math.abs(stated - sizeOf(what))).toBeLessThan(1);
  });

  it("count the files that a page's device needs", async () => {
    const manifest = await parseManifest(readFileSync(new URL("manifest.json", PACK_URL), "utf8"));
    const needed = ["manifest.json", ...(await filesFor(manifest, { device: "wasm", precision: "int8" }))];
    expect(FIRST_VISIT.model.map((path) => path.split("/").at(-1)).sort()).toEqual(needed.sort());
  });
});
