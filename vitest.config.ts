import { configDefaults, defineConfig } from "vitest/config";
import type { InlineConfig } from "vitest/node";

/** For tests of the built package, in every configuration. */
export const ofThePackage = {
  // The package is tested as it is built: imported by its own name, without any transformation.
  server: { deps: { external: [/\/dist\//] } },
  // Processes instead of worker threads, so that the package's worker threads belong to the test's own process.
  pool: "forks" as const,
  // Long enough for the slowest machine: only what hangs takes longer.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
} satisfies InlineConfig;

// npm test: no outcome depends on how fast the machine is, so files run beside each other. What measures is in test/soak.
export default defineConfig({
  test: {
    ...ofThePackage,
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "test/browser/**", "test/install/**", "test/soak/**"],
    maxWorkers: 2,
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], tsconfig: "tsconfig.types.json" },
  },
});
