import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { umpire } from "../../support/command-line.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";

test("--version prints the package's version", async () => {
  const { version } = JSON.parse(readFileSync(new URL("package.json", PACKAGE_ROOT), "utf8")) as { version: string };
  expect(await umpire(["--version"])).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: "" });
});

test("a call without a command prints the help as an error", async () => {
  const { code, stdout, stderr } = await umpire([]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("Usage: umpire [options] [command]");
});

test.each([
  [["--help"], /\nCommands:\n/u],
  [["decide", "--help"], /\nExamples:\n/u],
  [["help", "decide"], /--choose <options>/u],
  // A command below another one has the same flag as the others.
  [["keys", "help", "add"], /-h, --help {22}print help/u],
  // Both kinds of models.
  [["models", "add", "--help"], /natural language inference[^]*GLiClass/u],
  // A variable that stands for a flag.
  [["keys", "add", "--help"], /-f, --file <file> {15}the key file, created if it does not exist\s+\(env: UMPIRE_KEYS\)/u],
  // As HTTP says it.
  [["serve", "--help"], /that\s+latest\s+means;\s+a\s+request\s+without\s+a\s+model\s+is\s+refused/u],
  // Texts stay read for nobody unless it is asked for.
  [["serve", "--help"], /for\s+clients\s+who\s+trust\s+each\s+other\s+\(default:\s+0\)/u],
])("%j prints help", async (args, part) => {
  const { code, stdout, stderr } = await umpire(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(part);
});

test.each([
  [100, 100],
  [120, 120],
])("help fills a terminal of %i cells, and no line is wider", async (columns, widest) => {
  const { stdout } = await umpire(["serve", "--help"], { terminal: columns });
  const options = stdout.slice(stdout.indexOf("Options:"), stdout.indexOf("\n\nKeys"));
  const widths = options.split("\n").map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(widest);
  expect(Math.max(...widths)).toBeGreaterThan(widest - 20);
});
