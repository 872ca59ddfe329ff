import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/tools/doctor/machine.ts";
import { checkMemory } from "../../../src/tools/doctor/machine.ts";
import { checkPackages, defaultPackBytes } from "../../../src/tools/doctor/model.ts";
import type { CataloguedPack } from "../../../src/library/platform/platform.ts";
import { PACK, platformOfOne } from "../../support/fake-decider.ts";
import { PACK_URL } from "../../support/package-root.ts";

const BASE: CataloguedPack = { ...PACK, id: "large", url: "file:///modules/umpire-large/large/", packageName: "umpire-large" };

function found(packs: readonly CataloguedPack[], sizeBytes?: number): Promise<Finding[]> {
  const packaged = [{ id: "large", packageName: "umpire-large", sizeBytes }];
  return checkPackages(platformOfOne({ packaged, builtIn: () => Promise.resolve(packs) }));
}

describe("what the doctor says of a model in a package of its own", () => {
  it("is how to install it, and its size, where it is not", async () => {
    const text = "not installed; it brings large, a larger and more accurate model (npm install umpire-large, 114 MB)";
    const facts = { model: "large", installed: false, folder: null };
    expect(await found([PACK], 114e6)).toEqual([{ name: "umpire-large", status: "ok", text, facts }]);
    expect((await found([PACK]))[0]?.text).toContain("(npm install umpire-large)");
  });

  it("is where it is, where it is installed", async () => {
    const folder = fileURLToPath(BASE.url);
    const facts = { model: "large", installed: true, folder };
    expect(await found([PACK, BASE])).toEqual([{ name: "umpire-large", status: "ok", text: `large is in ${folder}`, facts }]);
  });

  it("is nothing of a damaged one: it is the default model, and is reported as that", async () => {
    expect(await found([PACK, { ...BASE, damage: "It is damaged." }])).toEqual([]);
  });
});

describe("memory", () => {
  it("is what the default model needs", async () => {
    const packs = [{ ...PACK, url: PACK_URL.href }];
    const platform = platformOfOne({ builtIn: () => Promise.resolve(packs), catalogue: () => Promise.resolve(packs) });
    expect(await defaultPackBytes(platform)).toBeGreaterThan(20e6);
    expect(await defaultPackBytes(platformOfOne())).toBe(0);
  });

  it("that is not enough for it is said, with how much it needs", () => {
    expect(checkMemory(0).status).toBe("ok");
    const { status, advice } = checkMemory(1e15);
    expect([status, advice]).toEqual(["note", "The model needs about 2000000100 MB. Close other programs, or raise the limit."]);
  });
});
