import { expect, test } from "vitest";
import { platformOfOne } from "../support/fake-decider.ts";
import { thisMachine, workersFor } from "../../src/cli/serve-workers.ts";

const GB = 1e9;

test.each([
  { flags: {}, processors: 2, memoryBytes: 8 * GB, expected: { workers: 2, threads: 1 } },
  { flags: {}, processors: 16, memoryBytes: 64 * GB, expected: { workers: 4, threads: 1 } },
  { flags: {}, processors: 1, memoryBytes: 8 * GB, expected: { workers: 1, threads: undefined } },
  { flags: {}, processors: 0.5, memoryBytes: 8 * GB, expected: { workers: 1, threads: undefined } },
  { flags: {}, processors: 4, memoryBytes: 1.2 * GB, expected: { workers: 2, threads: 1 } },
  { flags: {}, processors: 4, memoryBytes: 0.3 * GB, expected: { workers: 1, threads: undefined } },
  { flags: { threads: 2 }, processors: 4, memoryBytes: 8 * GB, expected: { workers: 2, threads: 2 } },
  { flags: { threads: 4 }, processors: 2, memoryBytes: 8 * GB, expected: { workers: 1, threads: 4 } },
  { flags: { workers: 1 }, processors: 4, memoryBytes: 8 * GB, expected: { workers: 1, threads: undefined } },
  { flags: { workers: 3, threads: 2 }, processors: 2, memoryBytes: 0.3 * GB, expected: { workers: 3, threads: 2 } },
  { flags: { workers: 3 }, processors: 16, memoryBytes: 8 * GB, expected: { workers: 3, threads: 1 } },
])("$flags on $processors processors with $memoryBytes bytes: $expected", ({ flags, processors, memoryBytes, expected }) => {
  expect(workersFor(flags, { processors, memoryBytes, bytesPerWorker: 0.5 * GB })).toEqual(expected);
});

test("the machine has processors and memory", async () => {
  const { processors, memoryBytes } = await thisMachine(platformOfOne());
  expect(processors).toBeGreaterThan(0);
  expect(memoryBytes).toBeGreaterThan(1e8);
  expect(Number.isFinite(memoryBytes)).toBe(true);
});
