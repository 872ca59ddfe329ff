import { defineConfig } from "vitest/config";

// npm run test:browser: the package as a page has it, in a real Chromium.
export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/browser/support/needs-chromium.ts"],
    pool: "forks",
    // One at a time: the browser uses all cores, and some of the tests measure.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
