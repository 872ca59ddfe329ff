import { describe, expect, it } from "vitest";
import { remembering } from "../../../src/library/engine/tokenize.ts";

const tokenize = (text: string): readonly number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);

describe("a tokenizer that remembers", () => {
  it("gives each text its own tokens, whatever was read before", () => {
    const texts = ["cat", "__proto__", "", "cat cat", "constructor"];
    const alone = texts.map(tokenize);
    const remembered = remembering(tokenize);
    for (let round = 0; round < 2; round++) expect(texts.map((text) => remembered(text))).toEqual(alone);
  });

  it("reads a text once", () => {
    let reads = 0;
    const remembered = remembering((text) => {
      reads++;
      return [text.length];
    });
    expect([remembered("cat"), remembered("cat"), remembered("dog")]).toEqual([[3], [3], [3]]);
    expect(reads).toBe(2);
  });
});
