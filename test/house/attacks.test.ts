import { readFile, readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../support/package-root.ts";

/** SECURITY.md says of each attack what came of it. `npm run attack -- --write` makes that table. */

const FOLDER = "test/attack/attacks/";
const read = (path: string): Promise<string> => readFile(new URL(path, PACKAGE_ROOT), "utf8");
const files = await readdir(new URL(FOLDER, PACKAGE_ROOT));
const rows = [...(await read("SECURITY.md")).matchAll(/^\| ([^|]+) \| \d+ \|/gmu)].map(([, name]) => name);

describe.each(files)(`${FOLDER}%s`, async (file) => {
  const source = await read(FOLDER + file);
  const attacks = [...source.matchAll(/^export const (\w+) = \{\n {2}name: "(.+)",$/gmu)];

  it("holds attacks", () => {
    expect(attacks.length).toBeGreaterThan(0);
  });

  it.each(attacks.map(([, constant = "", name = ""]) => [constant, name]))(
    "%s is made, and has its row in SECURITY.md",
    async (constant, name) => {
      expect(await read("test/attack/attacks.mjs")).toMatch(new RegExp(`^ {2}${constant},$`, "mu"));
      expect(rows).toContain(name);
    },
  );
});
