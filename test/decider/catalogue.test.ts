import { describe, expect, it } from "vitest";
import { Catalogue, latestOf } from "../../src/decider/catalogue.ts";
import type { CataloguedPack } from "../../src/platform/platform.ts";
import { PACK, platformOfOne } from "../support/fake-decider.ts";
import { INFO } from "../support/fake-engine.ts";
import { decideError } from "../support/rejection.ts";

describe("the latest of a catalogue", () => {
  const pack = (id: string, releaseDate: string): CataloguedPack => ({
    id,
    releaseDate,
    description: "",
    url: `file:///${id}/`,
    isBuiltIn: true,
  });

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
