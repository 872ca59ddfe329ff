import { defineConfig } from "vitest/config";
import type { InlineConfig } from "vitest/node";

/** For every test: the sources are as the package has them, no file leaves folders, mocks or a clock behind, and properties have their cases. */
const setupFiles = ["test/support/as-built.ts", "test/support/after-file.ts", "test/support/properties.ts"];

/** For tests of the built package, in every configuration. */
export const ofThePackage = {
  setupFiles,
  // The package is tested as it is built: imported by its own name, without any transformation.
  server: { deps: { external: [/\/dist\//] } },
  // Processes instead of worker threads, so that the package's worker threads belong to the test's own process.
  pool: "forks" as const,
  // Long enough for the slowest machine: only what hangs takes longer.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
} satisfies InlineConfig;

const ELSEWHERE = ["test/browser/**", "test/install/**", "test/soak/**"];

// npm test runs the first two projects, npm run test:faults the third, .ci/run --full the last. A file's name says where it belongs; CONTRIBUTING.md says what
// belongs there.
// No outcome depends on how fast the machine is, so files run beside each other. What measures is in test/soak.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...ELSEWHERE, "**/*.{package,faults,full}.test.ts"],
          setupFiles,
          pool: "threads",
          // Files of one thread share what they import. They must leave globals as they found them.
          isolate: false,
          testTimeout: 60_000,
          expect: { poll: { timeout: 30_000, interval: 10 } },
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...ofThePackage,
          name: "package",
          include: ["test/**/*.package.test.ts"],
          exclude: ELSEWHERE,
          // Files of one process share the package, and so the decider behind `decide()`.
          isolate: false,
          typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], tsconfig: "tsconfig.types.json" },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...ofThePackage,
          name: "faults",
          include: ["test/**/*.faults.test.ts"],
          exclude: ELSEWHERE,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...ofThePackage,
          name: "full",
          include: ["test/**/*.full.test.ts"],
          exclude: ELSEWHERE,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
