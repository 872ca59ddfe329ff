import { expect, test } from "vitest";
import { loadOptional } from "../../src/files/optional-dependency.ts";

test("a package that is not installed is told by its name", async () => {
  const missing = "a-package-that-nobody-has";
  await expect(loadOptional("Parquet", missing, () => import(missing))).rejects.toMatchObject({
    code: "backend_unavailable",
    message: "Parquet needs the package a-package-that-nobody-has, which is not installed: npm install a-package-that-nobody-has",
  });
});

test("a package that cannot be loaded is told with its cause", async () => {
  const cause = new Error("its binding is for another system");
  await expect(loadOptional("A ledger", "some-package", () => Promise.reject(cause))).rejects.toMatchObject({
    message: "A ledger needs the package some-package, which could not be loaded. Install it again: npm install some-package",
    cause,
  });
});
