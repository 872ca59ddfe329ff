import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../support/package-root.ts";

/** Files that a text names by their path from the root: `src/library/decide/request.ts`, `test/house/`. Not those with a placeholder, such as `<name>`. */
const PATH = /(?<![\w./<>-])(?:src|test|bench|docs|examples|models)\/[\w./*-]*(?![\w<>*-])/gu;

describe.each(["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "models/training/README.md"])("%s", (paper) => {
  it("names no file that does not exist", async () => {
    const text = await readFile(new URL(paper, PACKAGE_ROOT), "utf8");
    const paths = [...new Set(text.match(PATH))].map((path) => path.replace(/\.$/u, "")).filter((path) => !path.includes("*"));
    expect(paths.length).toBeGreaterThan(0);
    const missing = paths.filter((path) => !existsSync(new URL(path, PACKAGE_ROOT)));
    expect(missing).toEqual([]);
  });
});
