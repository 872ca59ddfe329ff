import { describe, expect, test } from "vitest";
import { showKeys } from "../../../../src/tools/cli/output/keys-view.ts";
import { plain } from "../../../../src/tools/cli/output/screen.ts";
import type { ApiKey } from "../../../../src/service/auth/keys.ts";

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
