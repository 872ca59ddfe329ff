import { defineConfig } from "vitest/config";

/** Mostly programs of their own, which wait more than they work, and nothing that measures time or memory: two files at a time. */
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
    // The package is tested as it is built: through its own name, untransformed, in the process of the test.
    server: { deps: { external: [/\/dist\//] } },
    // Forked processes: worker threads of the package are then threads of the test's own process, and not of another thread.
    pool: "forks",
    testTimeout: 120_000,
    hookTimeout: 60_000,
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
          // Those of a browser: vitest.browser.config.ts.
          exclude: ["test/browser/**", ...BESIDE],
          // The model uses all cores; memory, threads and the time that a thread is blocked are measured, too. Files that run beside each other would blur it all.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          typecheck: { enabled: true, include: ["test/**/*.test-d.ts"] },
        },
      },
    ],
  },
});
