import { expect, test } from "vitest";
import { loadPeer } from "../../../src/tools/run/peer.ts";

test("a library that is not installed is told by its name", async () => {
  const missing = "a-package-that-nobody-has";
  await expect(loadPeer("Parquet", missing, () => import(missing))).rejects.toThrow(
    "Parquet needs the package a-package-that-nobody-has, which is not installed: npm install a-package-that-nobody-has",
  );
});
