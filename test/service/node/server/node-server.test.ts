import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { affordableConnections } from "../../../../src/service/node/server/node-server.ts";

const limitsOf = (soft: number | "unlimited"): string => `Limit                     Soft Limit           Hard Limit           Units
Max processes             30000                40000                processes
Max open files            ${String(soft).padEnd(20)} 524288               files
`;

test.skipIf(process.platform !== "linux")(
  "connections get what the limit leaves beside what is open and a reserve, but at least one",
  () => {
    const open = readdirSync("/proc/self/fd").length;
    const left = affordableConnections(limitsOf(open + 100));
    expect(left).toBeGreaterThan(50);
    expect(left).toBeLessThan(100);
    expect(affordableConnections(limitsOf(10))).toBe(1);
  },
);

test.each([
  ["a limit that is none", limitsOf("unlimited")],
  ["a system that does not say", ""],
])("with %s, there is none for connections", (_, limits) => {
  expect(affordableConnections(limits)).toBe(Infinity);
});
