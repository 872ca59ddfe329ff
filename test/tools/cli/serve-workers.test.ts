import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { thisMachine, workersFor } from "../../../src/tools/cli/serve-workers.ts";
import { PACK, platformOfOne } from "../../support/fake-decider.ts";
import { tempDir } from "../../support/temp-dir.ts";

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

test.each([
  ["of umpire-2's size", { layers: 6, heads: 12, headSize: 32 }, 25e6, 0.5 * GB],
  ["of twice the layers, twice as wide", { layers: 12, heads: 12, headSize: 64 }, 115e6, 1.74 * GB],
  ["of another family, whose states are not kept", undefined, 900e6, 0.5 * GB],
])("a worker with a model %s may need so much memory", async (_, network, sizeBytes, expected) => {
  const folder = tempDir();
  await writeFile(
    join(folder, "manifest.json"),
    JSON.stringify({ network, limits: { stateTokens: 16_384 }, files: { weights: { sizeBytes } } }),
  );
  const pack = { ...PACK, url: `${pathToFileURL(folder).href}/` };
  const { bytesPerWorker } = await thisMachine(platformOfOne({ builtIn: () => Promise.resolve([pack]) }));
  expect(bytesPerWorker / expected).toBeCloseTo(1, 2);
});

test("a worker whose model cannot be looked at is taken for one of umpire-2", async () => {
  expect((await thisMachine(platformOfOne())).bytesPerWorker).toBe(0.5 * GB);
  expect((await thisMachine(platformOfOne(), "unknown")).bytesPerWorker).toBe(0.5 * GB);
});
