import { defineConfig } from "vitest/config";

/** These measure times or memory, or kill the browser's processes, so they run one at a time. */
const MEASURING = ["life", "abort", "webgpu"].map((name) => `test/browser/${name}.test.ts`);

/** One page, one worker, one extension, short goldens: what every change must pass. */
const SMOKE = ["decide", "smoke"].map((name) => `test/browser/${name}.test.ts`);

// npm run test:browser: tests the package in pages of a real Chromium. `-- --project smoke` in a minute.
export default defineConfig({
  test: {
    globalSetup: ["test/browser/support/needs-chromium.ts"],
    pool: "forks",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["test/support/after-file.ts"],
    projects: [
      { extends: true, test: { name: "smoke", include: SMOKE, maxWorkers: 2, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        // Two at a time, because a page mostly waits.
        test: {
          name: "beside",
          include: ["test/browser/**/*.test.ts"],
          exclude: [...MEASURING, ...SMOKE],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: "measuring", include: MEASURING, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
