import { defineConfig } from "vitest/config";
import type { InlineConfig } from "vitest/node";

/** For tests of the built package, in every configuration. */
export const ofThePackage = {
  // The package is tested as it is built: imported by its own name, without any transformation.
  server: { deps: { external: [/\/dist\//] } },
  // Processes instead of worker threads, so that the package's worker threads belong to the test's own process.
  pool: "forks" as const,
  testTimeout: 120_000,
  hookTimeout: 60_000,
} satisfies InlineConfig;

/** Files that run two at a time. They mostly wait for programs that they started, and none of them measures time or memory. */
const BESIDE = [
  "test/cli/!(process-end).test.ts",
  "test/package/**/*.test.ts",
  "test/docs/**/*.test.ts",
  "test/bench/**/*.test.ts",
  "test/ai/**/*.test.ts",
  "test/http/**/*.test.ts",
  "test/serve/ledger/*-ledger.test.ts",
];

export default defineConfig({
  test: {
    ...ofThePackage,
    projects: [
      {
        extends: true,
        test: { name: "beside", include: BESIDE, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: ["test/**/*.test.ts"],
          // vitest.browser.config.ts runs the browser tests.
          exclude: ["test/browser/**", ...BESIDE],
          // One file at a time: the model uses all cores, and some tests measure memory, threads or how long a thread is blocked.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          typecheck: { enabled: true, include: ["test/**/*.test-d.ts"] },
        },
      },
    ],
  },
});
