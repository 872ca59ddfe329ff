import { defineConfig } from "vitest/config";
import { ofThePackage } from "./vitest.config.ts";

/** The tarball, installed and used: what every change must pass. */
const SMOKE = ["test/install/packed.test.ts"];

// npm run test:install: whether the package installs everywhere, whether its types compile there, and whether wasm does all that cpu does. Takes minutes, and
// needs the npm registry. `-- --project smoke` needs neither.
export default defineConfig({
  test: {
    ...ofThePackage,
    maxWorkers: 1,
    testTimeout: 600_000,
    projects: [
      { extends: true, test: { name: "smoke", include: SMOKE } },
      { extends: true, test: { name: "everywhere", include: ["test/install/**/*.test.ts"], exclude: SMOKE } },
    ],
  },
});
