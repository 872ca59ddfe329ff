import { defineConfig } from "vitest/config";
import { ofThePackage } from "./vitest.config.ts";

// npm run soak: what measures or takes long. One file at a time, on an otherwise idle machine. Figures are judged by others of the same run.
export default defineConfig({
  test: { ...ofThePackage, include: ["test/soak/**/*.test.ts"], testTimeout: 900_000, maxWorkers: 1 },
});
