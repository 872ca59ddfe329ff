import { describe, expect, it } from "vitest";
import { latestOf } from "../../src/decider/catalogue.ts";
import type { CataloguedPack } from "../../src/platform/platform.ts";

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
