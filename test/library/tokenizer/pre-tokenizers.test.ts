import { describe, expect, it } from "vitest";
import { preTokenizerOf } from "../../../src/library/tokenizer/pre-tokenizers.ts";

const cut = (part: object, text: string): readonly string[] => preTokenizerOf(part)(text, true);

describe("what the library cuts in another way than Rust", () => {
  it("words of letters beyond ASCII", () => {
    expect(cut({ type: "Whitespace" }, "naïve идея, 2x!?")).toEqual(["naïve", "идея", ",", "2x", "!?"]);
  });

  it("words that hold a mark of byte order, which is no white space", () => {
    expect(cut({ type: "WhitespaceSplit" }, "a\ufeffb c\u0085d")).toEqual(["a\ufeffb", "c", "d"]);
  });

  it("digits of other scripts", () => {
    expect(cut({ type: "Digits", individual_digits: true }, "a12٤٢½")).toEqual(["a", "1", "2", "٤", "٢", "½"]);
    expect(cut({ type: "Digits", individual_digits: false }, "a12٤٢b")).toEqual(["a", "12٤٢", "b"]);
  });

  it.each([
    ["Removed", ["a", "b", "c"]],
    ["Isolated", ["a", "-", "b", "-", "-", "c"]],
    ["Contiguous", ["a", "-", "b", "--", "c"]],
    ["MergedWithPrevious", ["a-", "b-", "-", "c"]],
    ["merged_with_next", ["a", "-b", "-", "-c"]],
  ])("what becomes of a separator: %s", (behavior, pieces) => {
    expect(cut({ type: "Split", pattern: { String: "-" }, behavior, invert: false }, "a-b--c")).toEqual(pieces);
    expect(cut({ type: "Punctuation", behavior }, "a-b--c")).toEqual(pieces);
  });

  it("an old long s, which is an s where case does not count", () => {
    const since = String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`;
    const part = { type: "Split", pattern: { Regex: since }, behavior: "Isolated", invert: false };
    expect(cut(part, "It'S it'ſt")).toEqual(["It", "'S", " it", "'ſ", "t"]);
  });
});
