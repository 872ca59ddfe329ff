import { defineConfig } from "vitest/config";
import { ofThePackage } from "./vitest.config.ts";

// npm run test:install: whether the package installs everywhere, whether its types compile there, and whether wasm does all that cpu does. Takes minutes, and
// needs the npm registry.
export default defineConfig({
  test: {
    ...ofThePackage,
    include: ["test/install/**/*.test.ts"],
    maxWorkers: 1,
    testTimeout: 600_000,
  },
});
