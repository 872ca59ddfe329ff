import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Those need a browser: vitest.browser.config.ts.
    exclude: ["test/browser/**", "**/node_modules/**"],
    // The package is tested as it is built: through its own name, untransformed, in the process of the test.
    server: { deps: { external: [/\/dist\//] } },
    // Forked processes: worker threads of the package are then threads of the test's own process, and not of another thread.
    pool: "forks",
    // The model uses all cores; memory, threads and the time that a thread is blocked are measured, too. Files that run beside each other would blur it all.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"] },
  },
});
