import { defineConfig } from "vitest/config";
import { ofThePackage } from "./vitest.config.ts";

// npm run coverage: which lines of src/ the quick tests reach. The figures are printed and decide nothing.
export default defineConfig({
  test: {
    ...ofThePackage,
    include: ["test/**/*.test.ts"],
    exclude: [
      // Chromium runs the code, not Node.
      "test/browser/**",
      // These run for minutes.
      "test/install/**",
      // These test no code of src/, or only its installation.
      "test/{bench,docs,house,package,support}/**",
      // These run for long, and reach nothing that the others do not.
      "test/soak/**",
      "**/*.full.test.ts",
      "test/{golden,properties}.package.test.ts",
      "test/service/handler/*.faults.test.ts",
      "test/{serve,worker}/*.faults.test.ts",
    ],
    maxWorkers: 2,
    coverage: {
      enabled: true,
      provider: "custom",
      customProviderModule: "./test/support/v8-coverage/provider.ts",
      include: ["src/**/*.ts"],
      // What only a page runs.
      exclude: ["**/*.d.ts", "src/index.browser.ts", "src/library/platform/browser/**", "src/library/worker/worker.browser.ts"],
      // The built files are counted as the sources that their source maps name.
      excludeAfterRemap: true,
      reporter: [["text", { maxCols: 120 }], "html", "json-summary"],
      reportOnFailure: true,
    },
  },
});
