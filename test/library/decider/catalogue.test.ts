import { describe, expect, it } from "vitest";
import { Catalogue, latestOf } from "../../../src/library/decider/catalogue.ts";
import type { Aliases } from "../../../src/library/decider/catalogue.ts";
import type { CataloguedPack } from "../../../src/library/platform/platform.ts";
import { PACK, platformOfOne } from "../../support/fake-decider.ts";
import { INFO } from "../../support/fake-engine.ts";
import { decideError } from "../../support/rejection.ts";

const pack = (id: string, releaseDate: string, more: Partial<CataloguedPack> = {}): CataloguedPack => ({
  id,
  releaseDate,
  description: "",
  url: `file:///${id}/`,
  isBuiltIn: true,
  ...more,
});

const QUICK = pack("umpire-2", "2026-11-22");
const BASE = pack("umpire-3-base", "2026-11-27", { packageName: "umpire-base" });
const DAMAGED = pack("umpire-3-base", "", { packageName: "umpire-base", damage: "The package is damaged. Install it anew." });
const NEWER_OF_A_USER = pack("mine", "2030-01-01", { isBuiltIn: false });

/** @param builtIn packs that are installed @param own the decider's model */
function catalogueOf(builtIn: readonly CataloguedPack[], own = "latest", aliases: Aliases = {}): Catalogue {
  const platform = platformOfOne({
    builtIn: () => Promise.resolve(builtIn),
    catalogue: () => Promise.resolve([...builtIn, NEWER_OF_A_USER]),
    packaged: [{ id: BASE.id, packageName: "umpire-base", sizeBytes: undefined }],
  });
  return new Catalogue(platform, own, () => Promise.reject(new Error("nothing is loaded")), aliases);
}

describe("the latest of a catalogue", () => {
  it("is the pack of the last date; of two with one date, the last by name, in whatever order they are listed", () => {
    const packs = [pack("b", "2026-11-21"), pack("c", "2025-01-01"), pack("a", "2026-11-21"), pack("d", "2026-02-28")];
    expect(latestOf(packs)?.id).toBe("b");
    expect(latestOf(packs.toReversed())?.id).toBe("b");
  });

  it("is undefined where there is no pack", () => {
    expect(latestOf([])).toBeUndefined();
  });

  it("is never a damaged one, while there is another", () => {
    expect(latestOf([pack("z", ""), pack("a", "2026-01-01")])?.id).toBe("a");
  });

  it("is never a model of the user, however new", () => {
    expect(latestOf([NEWER_OF_A_USER, QUICK])).toBe(QUICK);
    expect(latestOf([NEWER_OF_A_USER])).toBeUndefined();
  });

  it("is a package's model whose package is damaged, before all others: it is not answered for by another", () => {
    expect(latestOf([QUICK, DAMAGED])).toBe(DAMAGED);
  });
});

describe("a catalogue", () => {
  it("knows a model by further names, and lists them with it", async () => {
    const aliases = { "gpt-6-luna": "latest", "jev-1": "umpire-2", toString: "mine", gone: "umpire-1" };
    const catalogue = catalogueOf([QUICK, BASE], "latest", aliases);
    for (const [name, url] of [
      ["gpt-6-luna", BASE.url],
      ["jev-1", QUICK.url],
      ["toString", NEWER_OF_A_USER.url],
    ])
      expect(await catalogue.packUrlOf(name)).toBe(url);
    expect((await catalogue.models()).map(({ id, aliases: names }) => [id, names])).toEqual([
      ["mine", ["toString"]],
      ["umpire-3-base", ["gpt-6-luna"]],
      ["umpire-2", ["jev-1"]],
    ]);
    expect((await decideError(() => catalogue.packUrlOf("gone"))).message).toBe(
      'There is no model "umpire-1". Did you mean "umpire-2"? There are: umpire-2, umpire-3-base, mine, gpt-6-luna, jev-1, toString, gone, latest, jev-latest.',
    );
    expect((await decideError(() => catalogueOf([QUICK]).packUrlOf("gpt-6-luna"))).code).toBe("model_not_found");
    expect(await catalogueOf([QUICK, BASE], "umpire-2", aliases).packUrlOf("gpt-6-luna")).toBe(QUICK.url);
  });

  it.each(["latest", "jev-latest", undefined])("takes the best that is installed for %j, and any other by its id", async (model) => {
    expect(await catalogueOf([QUICK]).packUrlOf(model)).toBe(QUICK.url);
    const both = catalogueOf([QUICK, BASE]);
    expect(await both.packUrlOf(model)).toBe(BASE.url);
    expect(await both.packUrlOf("umpire-2")).toBe(QUICK.url);
    expect(await both.packUrlOf("mine")).toBe(NEWER_OF_A_USER.url);
    expect(await catalogueOf([QUICK, BASE], "umpire-2").packUrlOf(model)).toBe(QUICK.url);
    const listed = await both.models();
    expect(listed.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      ["mine", false],
      ["umpire-3-base", true],
      ["umpire-2", false],
    ]);
  });

  it("refuses a damaged package's model, by any of its names, and no other model", async () => {
    const catalogue = catalogueOf([QUICK, DAMAGED]);
    for (const name of [undefined, "latest", "umpire-3-base"]) {
      const { code, message } = await decideError(() => catalogue.packUrlOf(name));
      expect([code, message]).toEqual(["model_invalid", DAMAGED.damage]);
    }
    expect(await catalogue.packUrlOf("umpire-2")).toBe(QUICK.url);
  });

  it.each([
    ["umpire-3-base", 'There is no model "umpire-3-base". It comes in a package of its own: npm install umpire-base.'],
    [
      "umpire3-base",
      'There is no model "umpire3-base". Did you mean "umpire-3-base"? It comes in a package of its own: npm install umpire-base.',
    ],
    ["gpt-5", 'There is no model "gpt-5".'],
  ])("that has no %s says how to get it, if it knows", async (model, words) => {
    const { code, message } = await decideError(() => catalogueOf([QUICK]).packUrlOf(model));
    expect([code, message]).toEqual(["model_not_found", `${words} There are: umpire-2, mine, latest, jev-latest.`]);
  });

  it("knows which built-in model has given way to a better one", async () => {
    const superseded = async (own: string, id: string, packs = [QUICK, BASE]): Promise<boolean> => catalogueOf(packs, own).isSuperseded(id);
    expect(await superseded("latest", "umpire-2")).toBe(true);
    expect(await superseded("latest", "umpire-2", [QUICK])).toBe(false);
    // Whoever names the decider's model knows which one answers.
    expect(await superseded("umpire-3-base", "umpire-2")).toBe(false);
    for (const id of ["umpire-3-base", "mine", "unknown"]) expect(await superseded("latest", id)).toBe(false);
  });
});

describe("a pack that a platform may have without listing it", () => {
  const unlisted = (id: string): string | undefined => (id === "aside" ? "aside:" : undefined);
  const place = (model: string | URL): string | undefined => (String(model).includes("/") ? String(model) : undefined);
  const catalogue = (own: string): Catalogue =>
    new Catalogue(platformOfOne({ unlisted, placeOf: place }), own, () => Promise.resolve({ ...INFO, model: "aside" }));

  it("is found by its name, in a request or an option, and is not the latest", async () => {
    expect(await catalogue("latest").packUrlOf("aside")).toBe("aside:");
    expect(await catalogue("aside").packUrlOf(undefined)).toBe("aside:");
    expect(await catalogue("aside").packUrlOf("latest")).toBe("aside:");
    expect(await catalogue("latest").packUrlOf(undefined)).toBe(PACK.url);
    expect((await decideError(() => catalogue("latest").packUrlOf("asid"))).code).toBe("model_not_found");
  });

  it("gives way to the decider's own pack of that name, wherever it lies", async () => {
    expect(await catalogue("/mine/").packUrlOf("aside")).toBe("/mine/");
  });

  it("is listed where it is the decider's own", async () => {
    const listed = async (own: string): Promise<unknown> => (await catalogue(own).models()).map(({ id, isDefault }) => [id, isDefault]);
    expect(await listed("latest")).toEqual([[PACK.id, true]]);
    expect(await listed("aside")).toEqual(
      expect.arrayContaining([
        ["aside", true],
        [PACK.id, false],
      ]),
    );
  });
});
