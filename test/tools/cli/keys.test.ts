import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { showKeys } from "../../../src/tools/cli/keys-command.ts";
import { plain } from "../../../src/tools/cli/output/screen.ts";
import type { ApiKey } from "../../../src/service/auth/keys.ts";
import { readKeyFile, watchKeyFile } from "../../../src/service/node/keys/key-file.ts";
import { umpire } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";

let file: string;
beforeEach(() => {
  file = join(tempDir(), "keys.json");
});

test("add prints only the secret on standard output, and the file then accepts it", async () => {
  const flags = ["--file", file, "--expires", "2999-01-31", "--models", "a, b", "--requests-per-minute", "60", "--free"];
  const { code, stdout, stderr } = await umpire(["keys", "add", "mobile", ...flags]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ump_[\w-]{43}\n$/u)]);
  expect(stderr).toMatch(/mobile is in .*shown only this once/u);
  expect(stderr).not.toContain(stdout.trim());
  await using keys = await watchKeyFile(file, { onError: () => undefined });
  expect(await keys.find(stdout.trim())).toMatchObject({
    name: "mobile",
    expiresAt: "2999-01-31T00:00:00.000Z",
    models: ["a", "b"],
    requestsPerMinute: 60,
    paysCredits: false,
  });
});

test("list prints JSON into a pipe and lines for people, without hashes; revoke removes a key", async () => {
  const env = { UMPIRE_KEYS: file };
  const sha256 = "ab".repeat(32);
  const old = { name: "old", sha256, expiresAt: "2020-01-31T00:00:00Z" };
  await writeFile(file, JSON.stringify({ keys: [old] }));
  await umpire(["keys", "add", "new", "--expires", "30d"], { env });

  const listed = await umpire(["keys", "list"], { env });
  expect(listed.stdout).not.toMatch(/abab|sha256/u);
  const { keys } = JSON.parse(listed.stdout) as { keys: { name: string; expired: boolean; expiresAt: string }[] };
  expect(keys.map(({ name, expired }) => [name, expired])).toEqual([
    ["old", true],
    ["new", false],
  ]);
  expect((Date.parse(keys[1]?.expiresAt ?? "") - Date.now()) / 86_400_000).toBeCloseTo(30, 2);

  const shown = await umpire(["keys", "list", "--pretty"], { env });
  expect(shown.stdout).toMatch(/^old {2}expired 2020-01-31 00:00 UTC · all models\nnew {2}expires .* · all models · created \d{4}-/u);
  expect(shown.stdout).not.toContain("abab");

  expect(await umpire(["keys", "revoke", "old"], { env })).toMatchObject({ code: 0, stdout: "" });
  expect((await readKeyFile(file)).map(({ name }) => name)).toEqual(["new"]);
});

test.skipIf(process.platform === "win32")("list warns of a key file that other users may write", async () => {
  await umpire(["keys", "add", "a", "--file", file]);
  expect((await umpire(["keys", "list", "--file", file])).stderr).toBe("");
  await chmod(file, 0o666);
  expect((await umpire(["keys", "list", "--file", file])).stderr).toMatch(/may write the key file .*mode is 666.*mode 600\.\n$/u);
});

test.each([
  ["a missing --file", ["list"], /--file, or set UMPIRE_KEYS/u],
  ["a missing file", ["list", "--file", "none.json"], /none\.json cannot be read: there is no such file/u],
  ["an invalid name", ["add", "a/b", "--file", "none.json"], /The key is not valid:\n {2}name: must be/u],
  ["a day that does not exist", ["add", "a", "--file", "none.json", "--expires", "2999-02-30"], /--expires.*must be a day/u],
  ["a day in words", ["add", "a", "--file", "none.json", "--expires", "tomorrow"], /--expires.*must be a day/u],
  ["a day in the past", ["add", "a", "--file", "none.json", "--expires", "2020-01-31"], /--expires.*must be in the future/u],
  ["a rate of 0", ["add", "a", "--file", "none.json", "--requests-per-minute", "0"], /whole number, 1 or more/u],
  ["an empty model id", ["add", "a", "--file", "none.json", "--models", "a,,b"], /model ids with commas/u],
  ["an unknown command", ["remove"], /^umpire: unknown command 'remove'/u],
])("%s is bad input, with a message on standard error", async (_, args, message) => {
  const { code, stdout, stderr } = await umpire(["keys", ...args]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
});

test("a damaged file is refused with the place of every issue, and not changed", async () => {
  const text = '{"keys":[{"name":"a"},{"name":"b","sha256":"mysecret"}]}';
  await writeFile(file, text);
  const { code, stderr } = await umpire(["keys", "add", "c", "--file", file]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/keys\[0\]\.sha256: is missing.*\n {2}keys\[1\]\.sha256: must be 64/u);
  expect(stderr).not.toContain("mysecret");
  expect(await readFile(file, "utf8")).toBe(text);
});

const NOW_MS = Date.parse("2026-06-01T00:00:00Z");
const KEY: ApiKey = { name: "shop", sha256: "ab".repeat(32) };

const shown = (keys: readonly ApiKey[], width = 100): string[] => showKeys(keys, NOW_MS, { width, paint: plain }).trimEnd().split("\n");

test("no keys", () => {
  expect(shown([])).toEqual(["There are no keys."]);
});

test("a key without limits", () => {
  expect(shown([KEY])).toEqual(["shop  never expires · all models"]);
});

test("a key with every limit, in UTC, without its hash", () => {
  const key = {
    ...KEY,
    expiresAt: "2027-01-31T18:00:00+02:00",
    models: ["a", "b"],
    requestsPerMinute: 60,
    paysCredits: false,
    createdAt: "2026-05-01T12:34:56Z",
  };
  expect(shown([key])).toEqual(["shop  expires 2027-01-31 16:00 UTC · a, b · 60 requests a minute · free · created 2026-05-01"]);
});

test("an expired key is shown as expired, in another colour", () => {
  const keys = [{ ...KEY, expiresAt: "2026-05-31T23:59:59Z" }, KEY];
  const text = showKeys(keys, NOW_MS, { width: 100, paint: (style, text) => `<${style}:${text}>` });
  expect(text.split("\n")).toMatchObject([
    expect.stringMatching(/^<red:shop> {2}expired 2026-05-31/u),
    expect.stringMatching(/^<bold:shop>/u),
    "",
  ]);
});

test("names and limits stand in columns", () => {
  expect(
    shown([
      { ...KEY, name: "a" },
      { ...KEY, name: "long-name" },
    ]),
  ).toEqual(["a          never expires · all models", "long-name  never expires · all models"]);
});

describe.each([40, 80])("in %i cells", (width) => {
  const long: ApiKey = { ...KEY, name: "n".repeat(64), models: ["m".repeat(90), "n"], requestsPerMinute: 10, paysCredits: false };

  test("all lines fit, except for a long name, which is needed whole to revoke the key", () => {
    const [name, ...lines] = shown([long, { ...KEY, name: "b" }], width);
    expect(name).toBe(long.name);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines.at(-1)).toMatch(/^b +never expires · all models$/u);
  });
});
