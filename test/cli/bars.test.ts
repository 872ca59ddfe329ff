import { describe, expect, test } from "vitest";
import { bar, percent, scale } from "../../src/cli/bars.ts";

describe("bar", () => {
  test("fills its cells in proportion, to an eighth of a cell", () => {
    expect(bar(0.5, 8)).toBe("████    ");
    expect(bar(1, 8)).toBe("████████");
    expect(bar(1 / 64, 8)).toBe("▏       ");
    expect(bar(7 / 64, 8)).toBe("▉       ");
    expect(bar(9 / 64, 8)).toBe("█▏      ");
  });

  test("shows a sliver of a share that is not 0, and nothing of 0", () => {
    expect(bar(1e-9, 4)).toBe("▏   ");
    expect(bar(0, 4)).toBe("    ");
  });

  test("is exactly as wide as asked for, whatever the share", () => {
    for (let i = 0; i <= 1000; i++) expect(bar(i / 1000, 17)).toHaveLength(17);
  });
});

describe("percent", () => {
  test("takes four cells and rounds", () => {
    expect([0.125, 0.056, 0, 1].map(percent)).toEqual([" 13%", "  6%", "  0%", "100%"]);
  });

  test("does not call something nothing, or almost all all", () => {
    expect(percent(0.002)).toBe(" <1%");
    expect(percent(0.997)).toBe(">99%");
    expect(percent(0.0001)).toBe("  0%");
    expect(percent(0.9999)).toBe("100%");
  });
});

describe("scale", () => {
  const drawn = (score: number, levels: number, cells: number): string => Object.values(scale(score, levels, cells)).join("");

  test("has a tick at each level and the mark at the score", () => {
    expect(drawn(0.5, 3, 9)).toBe("├─◆─┼───┤");
    expect(drawn(1.75, 3, 9)).toBe("├───┼──◆┤");
    expect(drawn(0, 2, 9)).toBe("◆───────┤");
    expect(drawn(1, 2, 9)).toBe("├───────◆");
  });

  test("is as wide as asked for", () => {
    for (let levels = 2; levels <= 10; levels++) expect(drawn((levels - 1) / 3, levels, 21)).toHaveLength(21);
  });
});
