import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../support/package-root.ts";

/** Files that a text names by their path from the root: `src/library/decide/request.ts`, `test/house/`. Not those with a placeholder, such as `<name>`. */
const PATH = /(?<![\w./<>-])(?:src|test|bench|docs|examples|models)\/[\w./*-]*(?![\w<>*-])/gu;

/** Of the sources: a wing's, or a room's. */
const ROOMS = ["library", "library/tokenizer", "library/engine/families/shared-premise", "service", "service/queue", "tools", "tools/run"];
const READMES = ROOMS.map((room) => `src/${room}/README.md`);

it.each([["ARCHITECTURE.md", 2500], ...READMES.map((paper) => [paper, 510] as const)] as const)(
  "%s has at most %i words",
  async (paper, most) => {
    const text = await readFile(new URL(paper, PACKAGE_ROOT), "utf8");
    expect(text.split(/\s+/u).filter((word) => word !== "").length).toBeLessThanOrEqual(most);
  },
);

describe.each(READMES)("%s", (paper) => {
  it("names no file that its room does not have", async () => {
    const text = await readFile(new URL(paper, PACKAGE_ROOT), "utf8");
    const names = [...new Set(text.match(/(?<=`)[\w/-]+\.ts(?=`)/gu))];
    const room = new URL("./", new URL(paper, PACKAGE_ROOT));
    const missing = names.filter(
      (name) => ![room, new URL("src/library/", PACKAGE_ROOT), PACKAGE_ROOT].some((from) => existsSync(new URL(name, from))),
    );
    expect(missing).toEqual([]);
  });
});

describe.each(["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "models/training/README.md"])("%s", (paper) => {
  it("names no file that does not exist", async () => {
    const text = await readFile(new URL(paper, PACKAGE_ROOT), "utf8");
    const paths = [...new Set(text.match(PATH))].map((path) => path.replace(/\.$/u, "")).filter((path) => !path.includes("*"));
    expect(paths.length).toBeGreaterThan(0);
    const missing = paths.filter((path) => !existsSync(new URL(path, PACKAGE_ROOT)));
    expect(missing).toEqual([]);
  });
});
