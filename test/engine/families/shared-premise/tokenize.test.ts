import { Tokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTokenize, remembering } from "../../../../src/engine/families/shared-premise/tokenize.ts";
import type { Tokenize } from "../../../../src/engine/families/shared-premise/tokenize.ts";
import { PACK_URL } from "../../../support/package-root.ts";

/** That it gives the reference's tokens is what the golden vectors hold. */
describe("the tokenizer", () => {
  let json: Record<string, unknown>;
  let tokenize: Tokenize;
  beforeAll(async () => {
    json = JSON.parse(await readFile(new URL("tokenizer.json", PACK_URL), "utf8")) as Record<string, unknown>;
    tokenize = makeTokenize(json);
  });

  it("gives the ids that the library's whole tokenizer gives, of any text", () => {
    const whole = new Tokenizer(json, {});
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.lorem()), (text) => {
        expect(tokenize(text)).toEqual(whole.encode(text.toWellFormed(), { add_special_tokens: false }).ids);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["model", { type: "BPE" }],
    ["model", undefined],
    ["pre_tokenizer", { type: "Whitespace" }],
    ["normalizer", { type: "Sequence", normalizers: [{ type: "NFC" }] }],
    ["normalizer", null],
    ["added_tokens", [{ id: 0, content: "[PAD]" }]],
  ])("refuses another kind: %s %j", (part, value) => {
    expect(() => makeTokenize({ ...json, [part]: value })).toThrow();
  });

  it("adds no special tokens, and reads none in a text", () => {
    expect(tokenize("cat")).toHaveLength(1);
    expect(tokenize("")).toEqual([]);
    // [CLS] is 101, [SEP] 102, padding 0: a text that names them must not be them.
    for (const text of ["[CLS]", "[SEP]", "[PAD]", "a [SEP] b"])
      expect(tokenize(text).some((id) => [0, 101, 102].includes(id))).toBe(false);
  });

  it("reads a lone surrogate as the replacement character", () => {
    expect(tokenize("a\ud800b")).toEqual(tokenize("a\ufffdb"));
    expect(tokenize("\udfff")).toEqual(tokenize("\ufffd"));
  });

  it("gives each text its own tokens, whatever was read before", () => {
    const texts = ["cat", "__proto__", "", "cat cat", "constructor"];
    const alone = texts.map((text) => tokenize(text));
    const remembered = remembering(tokenize);
    for (let round = 0; round < 2; round++) expect(texts.map((text) => remembered(text))).toEqual(alone);
  });

  it("that is remembered reads a text once", () => {
    let reads = 0;
    const remembered = remembering((text) => {
      reads++;
      return [text.length];
    });
    expect([remembered("cat"), remembered("cat"), remembered("dog")]).toEqual([[3], [3], [3]]);
    expect(reads).toBe(2);
  });
});
