import { describe, expect, test } from "vitest";
import { bar, percent, scale } from "../../../../src/tools/cli/output/terminal-text.ts";

describe("bar", () => {
  test("fills its cells in proportion, with a precision of an eighth of a cell", () => {
    expect(bar(0.5, 8)).toBe("████    ");
    expect(bar(1, 8)).toBe("████████");
    expect(bar(1 / 64, 8)).toBe("▏       ");
    expect(bar(7 / 64, 8)).toBe("▉       ");
    expect(bar(9 / 64, 8)).toBe("█▏      ");
  });

  test("shows at least a sliver of any share above 0, and nothing for 0", () => {
    expect(bar(1e-9, 4)).toBe("▏   ");
    expect(bar(0, 4)).toBe("    ");
  });

  test("is exactly as wide as requested, for any share", () => {
    for (let i = 0; i <= 1000; i++) expect(bar(i / 1000, 17)).toHaveLength(17);
  });
});

describe("percent", () => {
  test("rounds, and takes four cells", () => {
    expect([0.125, 0.056, 0, 1].map(percent)).toEqual([" 13%", "  6%", "  0%", "100%"]);
  });

  test("shows shares near the ends as <1% and >99%", () => {
    expect(percent(0.002)).toBe(" <1%");
    expect(percent(0.997)).toBe(">99%");
    expect(percent(0.0001)).toBe("  0%");
    expect(percent(0.9999)).toBe("100%");
  });
});

describe("scale", () => {
  const drawn = (score: number, levels: number, cells: number): string => Object.values(scale(score, levels, cells)).join("");

  test("has a tick at each level and a mark at the score", () => {
    expect(drawn(0.5, 3, 9)).toBe("├─◆─┼───┤");
    expect(drawn(1.75, 3, 9)).toBe("├───┼──◆┤");
    expect(drawn(0, 2, 9)).toBe("◆───────┤");
    expect(drawn(1, 2, 9)).toBe("├───────◆");
  });

  test("is as wide as requested", () => {
    for (let levels = 2; levels <= 10; levels++) expect(drawn((levels - 1) / 3, levels, 21)).toHaveLength(21);
  });
});
