import { describe, expect, it } from "vitest";
import type { PackFiles } from "../../../../src/library/engine/pack/open-pack.ts";
import { loadNodeEngine, packFiles } from "../../../../src/library/platform/node/engine.ts";
import { nodeRuntimes } from "../../../../src/library/platform/node/runtimes.ts";
import type { NodeRuntimes } from "../../../../src/library/platform/node/runtimes.ts";
import { PACKAGE_ROOT, PACK_URL } from "../../../support/package-root.ts";

const DIST = new URL("dist/", PACKAGE_ROOT);

/** Files and runtimes that note the order in which they are asked for. */
function noting(asked: string[], missing?: string): { readonly files: PackFiles; readonly runtimes: NodeRuntimes } {
  const files = packFiles(PACK_URL.href);
  const runtimes = nodeRuntimes(DIST);
  return {
    files: {
      ...files,
      read: (name, listed) => {
        asked.push(name);
        return files.read(name === missing ? "nothing.bin" : name, listed);
      },
    },
    runtimes: {
      ...runtimes,
      findNative: () => {
        asked.push("the runtime");
        return runtimes.findNative();
      },
    },
  };
}

describe("loading", () => {
  it("asks for all files before it looks for the native runtime, whose loading holds the thread", async () => {
    const asked: string[] = [];
    const { files, runtimes } = noting(asked);
    const engine = await loadNodeEngine(files, runtimes, { device: "auto", threads: 1 });
    await engine.close();
    expect(asked).toContain("weights.bin");
    expect(asked.filter((name) => name === "the runtime")).toHaveLength(1);
    expect(asked.at(-1)).toBe("the runtime");
  });

  it("makes no session for a pack with a file that cannot be read", async () => {
    const { files, runtimes } = noting([], "weights.bin");
    await expect(loadNodeEngine(files, runtimes, { device: "cpu", threads: 1 })).rejects.toMatchObject({
      code: "model_invalid",
      message: expect.stringContaining("weights.bin") as string,
    });
  });

  it("says that a runtime is not there, also if that is found while files are read", async () => {
    const { files, runtimes } = noting([]);
    const missing = { reason: "it is not there", advice: "Get it.", cause: undefined };
    const without = { ...runtimes, findNative: () => Promise.resolve({ missing }) };
    await expect(loadNodeEngine(files, without, { device: "cpu", threads: 1 })).rejects.toMatchObject({
      code: "backend_unavailable",
      message: expect.stringContaining("it is not there") as string,
    });
  });
});
