import { describe, expect, it } from "vitest";
import { bpe } from "../../../src/library/tokenizer/sub-words.ts";
import { vocabularyOf } from "../../../src/library/tokenizer/vocabulary.ts";

/** Reads texts with a vocabulary of these pieces, in which "!" is special. */
function reader(pieces: readonly string[], merges: readonly string[], more: object = {}): (text: string) => string {
  const vocabulary = vocabularyOf(new Map(pieces.map((piece, id) => [piece, id])), (piece) => piece.startsWith("!"));
  const { encode } = bpe({ merges, ...more }, vocabulary);
  return (text) => {
    const ids: number[] = [];
    encode(text, ids);
    return ids.map((id) => pieces[id]).join(" ");
  };
}

describe("byte-pair encoding", () => {
  const letters = ["!unk", "▁", "a", "b", "c"];

  it("merges what comes first in the list, the leftmost first", () => {
    const read = reader([...letters, "bc", "ab", "aa"], ["b c", "a b", "a a"]);
    expect(read("abc")).toBe("a bc");
    expect(read("aaab")).toBe("aa ab");
  });

  it("leaves out what is unknown, or gives it its token, once for a run if they are joined", () => {
    expect(reader(letters, [])("axyb")).toBe("a b");
    expect(reader(letters, [], { unk_token: "!unk" })("axyb")).toBe("a !unk !unk b");
    expect(reader(letters, [], { unk_token: "!unk", fuse_unk: true })("axyb▁xy")).toBe("a !unk b ▁ !unk");
  });

  it("makes no special token of letters that spell one", () => {
    expect(reader(["!", "!a", "a", "b", "ab"], ["! a", "a b"])("!ab")).toBe("ab");
  });

  it("reads word by word only where no token begins in one word and ends in another", () => {
    expect(reader([...letters, "▁b", "a▁b"], ["▁ b", "a ▁b"])("a▁b▁b")).toBe("a▁b ▁b");
    expect(reader([...letters, "▁b"], ["▁ b"])("a▁b▁b")).toBe("a ▁b ▁b");
  });

  it("takes a whole piece that is a token without merges, if the file says so, and not a word of it", () => {
    const pieces = [...letters, "▁abc"];
    expect(reader(pieces, [], { ignore_merges: true })("▁abc")).toBe("▁abc");
    expect(reader(pieces, [], { ignore_merges: true })("a▁abc")).toBe("a ▁ a b c");
    expect(reader(pieces, [])("▁abc")).toBe("▁ a b c");
  });
});
