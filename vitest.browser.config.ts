import { defineConfig } from "vitest/config";

/** These measure times or memory, or kill the browser's processes: each has the machine for itself. */
const MEASURING = ["life", "abort", "webgpu"].map((name) => `test/browser/${name}.test.ts`);

// npm run test:browser: the package as a page has it, in a real Chromium.
export default defineConfig({
  test: {
    globalSetup: ["test/browser/support/needs-chromium.ts"],
    pool: "forks",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        // Beside each other, because a page waits more than it works.
        test: { name: "beside", include: ["test/browser/**/*.test.ts"], exclude: MEASURING, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: { name: "measuring", include: MEASURING, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
