import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { FolderStore } from "../../../../src/tools/run/queue/store.ts";
import { tempDir } from "../../../support/temp-dir.ts";

let folder: string;
let store: FolderStore;
beforeEach(async () => {
  folder = tempDir();
  store = await FolderStore.make(join(folder, "chunks"));
});

test("what was put is there, until it is removed", async () => {
  expect(await store.get("a")).toBeUndefined();
  expect(await store.has("a")).toBe(false);
  await store.put("a", "one");
  await store.put("a", "two");
  expect(await store.get("a")).toBe("two");
  expect(await store.has("a")).toBe(true);
  expect(await readdir(join(folder, "chunks"))).toEqual(["a"]);
  await store.remove("a");
  await store.remove("a");
  expect(await store.get("a")).toBeUndefined();
});

test("many puts of one name at once leave one of them whole", async () => {
  const text = "x".repeat(100_000);
  await Promise.all(Array.from({ length: 20 }, (_, i) => store.put("a", `${i} ${text}`)));
  expect(await store.get("a")).toMatch(/^\d+ x{100000}$/u);
  expect(await readdir(join(folder, "chunks"))).toEqual(["a"]);
});

test("once it is cleared, nothing can be put there, and nothing is there", async () => {
  await store.put("a", "one");
  await store.clear();
  await store.clear();
  expect(await store.has("a")).toBe(false);
  await expect(store.put("a", "late")).rejects.toMatchObject({ code: "ENOENT" });
  expect(await readdir(folder)).toEqual([]);
});

test("what cannot be read is not absent", async () => {
  await FolderStore.make(join(folder, "chunks", "a"));
  await expect(store.get("a")).rejects.toMatchObject({ code: "EISDIR" });
});
