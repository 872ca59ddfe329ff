import { readFile, readdir } from "node:fs/promises";
import { posix } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../support/package-root.ts";

const MAX_LINES = 400;
/** A file that is shorter holds types alone, is an entry, or has this many importers. */
const SHORT = 40;
const ENOUGH_IMPORTERS = 3;
/** The house as a whole. The plan for its lines is 28,000: this may only shrink. */
const MAX_FILES = 260;
const MAX_LINES_OF_ALL = 35_853;

/** Files that something other than a source imports (the build, a bundler, a program's start), and commands. */
const ENTRY = /\/(?:index[\w.]*|worker\.\w+|bin|family|version|require-installed|\w+-command)\.ts$|\.d\.ts$/u;
const RELATIVE = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/gu;
const CODE = /^(?:export )?(?:async )?(?:function|class|const|let) /mu;

interface Source {
  readonly path: string;
  readonly lines: number;
  readonly text: string;
}

let sources: Source[] = [];
const importers = new Map<string, Set<string>>();

beforeAll(async () => {
  const entries = await readdir(new URL("src/", PACKAGE_ROOT), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map(({ parentPath, name }) => posix.join(parentPath.slice(parentPath.indexOf("/src") + 1), name));
  sources = await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(new URL(path, PACKAGE_ROOT), "utf8");
      return { path, text, lines: text.split("\n").length - 1 };
    }),
  );
  for (const { path, text } of sources)
    for (const [, specifier = ""] of text.matchAll(RELATIVE)) {
      const target = posix.join(posix.dirname(path), specifier);
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
});

describe("a file of src/", () => {
  it(`has ${MAX_LINES} lines at most`, () => {
    const long = sources.filter(({ lines }) => lines > MAX_LINES).map(({ path, lines }) => `${path}: ${lines}`);
    expect(long).toEqual([]);
  });

  it(`of less than ${SHORT} lines holds types, is an entry, or is used by ${ENOUGH_IMPORTERS} others`, () => {
    const stray = sources.filter(
      ({ path, lines, text }) =>
        lines < SHORT && !ENTRY.test(path) && CODE.test(text) && (importers.get(path)?.size ?? 0) < ENOUGH_IMPORTERS,
    );
    expect(stray.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });
});

it(`src/ has ${MAX_FILES} files and ${MAX_LINES_OF_ALL} lines at most`, () => {
  expect(sources.length).toBeLessThanOrEqual(MAX_FILES);
  expect(sources.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(MAX_LINES_OF_ALL);
});
