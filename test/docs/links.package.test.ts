import { existsSync } from "node:fs";
import { posix } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { GUIDES, textOf } from "../support/guides.ts";
import { anchorsOf, linksOf } from "../support/markdown-links.ts";
import { PACKAGE_ROOT } from "../support/package-root.ts";
import { packedFiles } from "../support/packed-files.ts";

const SHIPPED = [
  ...GUIDES,
  ...["duckdb", "http", "kubernetes", "service"].map((name) => `examples/${name}/README.md`),
  "CHANGELOG.md",
  "SECURITY.md",
];
const IN_THE_REPOSITORY = [...SHIPPED, "CONTRIBUTING.md", "ARCHITECTURE.md"];

/** Path and anchor of a link, seen from the page that holds it. */
function leadsTo(page: string, link: string): { readonly path: string; readonly anchor: string | undefined } {
  const [file = "", anchor] = link.split("#");
  return { path: file === "" ? page : posix.join(posix.dirname(page), file), anchor };
}

const isOutside = (link: string): boolean => /^[a-z]+:|^\//iu.test(link);
/** Those that a test can follow. Examples may name the pages of what they use; all other pages stay inside the package. */
const linksIn = (page: string): string[] => linksOf(textOf(page)).filter((link) => !page.startsWith("examples/") || !isOutside(link));

describe.each(IN_THE_REPOSITORY)("the links of %s", (page) => {
  const links = linksIn(page);

  test("stay inside the package, where a test can follow them", () => {
    expect(links.filter(isOutside)).toEqual([]);
  });

  test("lead to files of the repository and not to built ones", () => {
    const paths = links.map((link) => leadsTo(page, link).path);
    expect(paths.filter((path) => path.startsWith("dist/") || !existsSync(new URL(path, PACKAGE_ROOT)))).toEqual([]);
  });

  test("lead to headings that are there", () => {
    const dead = links.filter((link) => {
      const { path, anchor } = leadsTo(page, link);
      return anchor !== undefined && !anchorsOf(textOf(path)).includes(anchor);
    });
    expect(dead).toEqual([]);
  });
});

describe("in the installed package", () => {
  let files: ReadonlySet<string>;
  beforeAll(async () => {
    files = await packedFiles();
  });

  test("every guide is there", () => {
    expect(SHIPPED.filter((page) => !files.has(page))).toEqual([]);
  });

  test.each(SHIPPED)("no link of %s is dead", (page) => {
    const paths = linksIn(page).map((link) => leadsTo(page, link).path);
    expect(paths.filter((path) => !files.has(path))).toEqual([]);
  });
});

test("every guide is linked from the README", () => {
  const linked = linksOf(textOf("README.md"));
  expect(GUIDES.filter((guide) => guide !== "README.md" && !linked.includes(guide))).toEqual([]);
});
