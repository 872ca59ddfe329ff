import { expect, it } from "vitest";
import { loadNodeEngine, packFiles, free } from "../../../../src/library/platform/node/engine.ts";
import { nodeRuntimes } from "../../../../src/library/platform/node/runtimes.ts";
import { PACKAGE_ROOT, PACK_URL } from "../../../support/package-root.ts";

it("frees a buffer, whoever still has it", () => {
  const bytes = new Uint8Array(1000);
  free(bytes);
  expect(bytes.byteLength).toBe(0);
});

it("no file of a pack stays in memory once the model is loaded", async () => {
  const files = packFiles(PACK_URL.href);
  const read: Uint8Array[] = [];
  const watched: typeof files = {
    ...files,
    read: async (name, listed) => {
      const bytes = await files.read(name, listed);
      if (listed !== undefined) read.push(bytes);
      return bytes;
    },
  };
  const engine = await loadNodeEngine(watched, nodeRuntimes(new URL("dist/", PACKAGE_ROOT)), { device: "auto", threads: 1 });
  await engine.close();
  expect(read.length).toBeGreaterThan(5);
  expect(read.map(({ byteLength }) => byteLength).filter((length) => length > 0)).toEqual([]);
});
