import { describe, expect, it } from "vitest";
import { wordPiece } from "../../../src/library/tokenizer/bert-tokenizer.ts";

const VOCABULARY: readonly string[] = ["un", "##aff", "##able", "a", "##a", "##aa", "🙂", "##🙂", "internationalisation"];
const reader = (maxWordCharacters = 100): ((word: string) => readonly number[] | undefined) =>
  wordPiece(
    (piece) => (VOCABULARY.includes(piece) ? VOCABULARY.indexOf(piece) : undefined),
    () => Math.max(...VOCABULARY.map(({ length }) => length)),
    "##",
    maxWordCharacters,
  );

describe("word pieces", () => {
  it("are the longest from the left on", () => {
    const idsOf = reader();
    expect(idsOf("unaffable")).toEqual([0, 1, 2]);
    expect(idsOf("aaaa")).toEqual([3, 5, 4]);
    expect(idsOf("a🙂a")).toEqual([3, 7, 4]);
    expect(idsOf("internationalisation")).toEqual([8]);
    expect(idsOf("internationalisationaa")).toEqual([8, 5]);
  });

  it("are unknown for a word with a part that is unknown", () => {
    expect(reader()("unaffected")).toBeUndefined();
    expect(reader()("un")).toEqual([0]);
  });

  it("are unknown for a word with more characters, of which an emoji is one", () => {
    expect(reader(3)("a🙂a")).toEqual([3, 7, 4]);
    expect(reader(3)("aaaa")).toBeUndefined();
  });

  it("are looked up no more often than the longest has characters: it reads long words", () => {
    let lookups = 0;
    const idOf = (piece: string): number | undefined => {
      lookups += 1;
      return piece.endsWith("a") && piece.length < 4 ? 1 : undefined;
    };
    const idsOf = wordPiece(idOf, () => 3, "##", 1000);
    expect(idsOf("a".repeat(1000))).toHaveLength(998);
    expect(lookups).toBeLessThanOrEqual(3 * 1000);
  });
});
