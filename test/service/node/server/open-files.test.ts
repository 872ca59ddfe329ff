import { expect, test } from "vitest";
import { affordableConnections, openFiles, softLimit } from "../../../../src/service/node/server/open-files.ts";

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             30000                40000                processes
Max open files            1024                 524288               files
`;

test.each([
  ["the soft limit counts", LIMITS, 1024],
  ["a limit that is none", LIMITS.replace("1024  ", "unlimited"), undefined],
  ["a system that does not say", "", undefined],
])("%s", (_, text, limit) => {
  expect(softLimit(text)).toBe(limit);
});

test.skipIf(process.platform !== "linux")(
  "connections get what the limit leaves beside what is open and a reserve, but at least one",
  () => {
    const open = openFiles();
    expect(open).toBeGreaterThan(3);
    const left = affordableConnections(open + 100);
    expect(left).toBeGreaterThan(50);
    expect(left).toBeLessThan(100);
    expect(affordableConnections(10)).toBe(1);
  },
);

test("without a limit there is none for connections", () => {
  expect(affordableConnections(undefined)).toBeGreaterThanOrEqual(1);
});
