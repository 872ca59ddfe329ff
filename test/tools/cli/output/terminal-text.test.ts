import { describe, expect, test } from "vitest";
import { bar, clip, escapeControls, fit, oneLine, percent, scale, widthOf, wrap } from "../../../../src/tools/cli/output/terminal-text.ts";

describe("escapeControls", () => {
  test.each([
    ["an escape sequence", "\u001b[31mred", "\\u001b[31mred"],
    ["an 8-bit control sequence", "\u009b31m", "\\u009b31m"],
    ["a window title", "\u001b]0;x\u0007", "\\u001b]0;x\\u0007"],
    ["a carriage return that overwrites the line", "ok\rno", "ok\\u000dno"],
    ["a backspace and a delete", "a\b\u007f", "a\\u0008\\u007f"],
    ["a bidirectional override", "\u202egnp.exe", "\\u202egnp.exe"],
    ["a bidirectional isolate", "\u2066x\u2069", "\\u2066x\\u2069"],
    ["a line separator", "a\u2028b", "a\\u2028b"],
    ["a lone surrogate", "\ud83d!", "\\ud83d!"],
  ])("makes %s visible", (_name, text, shown) => {
    expect(escapeControls(text)).toBe(shown);
  });

  test("leaves everything else alone", () => {
    const text = "Grüße, 日本語, שלום, 👨‍👩‍👧‍👦 and\nline feeds";
    expect(escapeControls(text)).toBe(text);
  });

  test("keeps JSON the same JSON", () => {
    const value = { "a\u009b": ["\u001b", "\u202e", "\ud83d", "\u2028", "ü"] };
    expect(JSON.parse(escapeControls(JSON.stringify(value, null, 2)))).toEqual(value);
  });
});

describe("widthOf", () => {
  test.each([
    ["latin", "Grüße", 5],
    ["combining accents", "e\u0301e\u0301", 2],
    ["Chinese", "中文", 4],
    ["Hangul", "한국", 4],
    ["full-width forms", "ＡＢ", 4],
    ["an emoji", "🎉", 2],
    ["an emoji of several", "👨‍👩‍👧‍👦", 2],
    ["a flag", "🇪🇪", 2],
    ["an emoji by its selector", "❤️", 2],
    ["a sign that is no emoji", "©→◆", 3],
    ["a zero-width space", "a\u200bb", 2],
    ["nothing", "", 0],
  ])("counts the cells of %s", (_name, text, cells) => {
    expect(widthOf(text)).toBe(cells);
  });
});

describe("clip and fit", () => {
  test("leave a text that fits", () => {
    expect(clip("abcd", 4)).toBe("abcd");
    expect(fit("ab", 4)).toBe("ab  ");
    expect(fit("中", 4)).toBe("中  ");
  });

  test("end a text that does not fit with an ellipsis, within the width", () => {
    expect(clip("abcdef", 4)).toBe("abc…");
    expect(clip("中文字", 4)).toBe("中…");
    expect(fit("中文字", 4)).toBe("中… ");
    expect(widthOf(clip("x".repeat(10_000), 30))).toBe(30);
  });

  test("never cut a character made of several parts", () => {
    expect(clip("ab👨‍👩‍👧‍👦cdef", 4)).toBe("ab…");
  });
});

describe("wrap", () => {
  test("breaks at spaces", () => {
    expect(wrap("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
  });

  test("breaks words longer than a line, and scripts without spaces", () => {
    expect(wrap("ab cdefghijkl", 5)).toEqual(["ab", "cdefg", "hijkl"]);
    expect(wrap("日本語の文", 4)).toEqual(["日本", "語の", "文"]);
  });

  test("keeps every line within the width", () => {
    const text = "Größe 日本語 👨‍👩‍👧‍👦 https://example.org/a/very/long/path?with=a&query=string und noch ein Wort".repeat(5);
    for (const cells of [3, 8, 20, 77]) for (const line of wrap(text, cells)) expect(widthOf(line)).toBeLessThanOrEqual(cells);
  });

  test("gives one empty line for an empty text", () => {
    expect(wrap("", 10)).toEqual([""]);
  });
});

test("oneLine turns any white space into single spaces and escapes controls", () => {
  expect(oneLine("  a\n\tb \r\n c\u0007 ")).toBe("a b c\\u0007");
});

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
