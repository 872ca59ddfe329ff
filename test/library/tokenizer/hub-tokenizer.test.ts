import { describe, expect, it } from "vitest";
import { makeHubTokenizer } from "../../../src/library/tokenizer/hub-tokenizer.ts";
import { strings } from "../../support/tokenizer-strings.ts";
import { tokenizerJson, tokenizerKinds } from "../../support/tokenizers.ts";
import type { TokenizerJson } from "../../support/tokenizers.ts";

/** Whatever grows with the square of a text's length would take minutes. */
const LONG_CHARACTERS = 30_000;

const changed = (kind: string, change: (json: TokenizerJson) => void): TokenizerJson => {
  const json = tokenizerJson(kind);
  change(json);
  return json;
};
const specialOf = (kind: string): { readonly id: number; readonly content: string }[] =>
  tokenizerJson(kind)
    .added_tokens.filter(({ special }) => special === true)
    .map(({ id, content }) => ({ id: Number(id), content: String(content) }));

describe.each(tokenizerKinds())("The tokenizer %s", (kind) => {
  const { tokenize, unknownId, idOf, padId } = makeHubTokenizer(tokenizerJson(kind));
  const special = specialOf(kind);
  const forbidden = new Set(special.map(({ id }) => id).filter((id) => id !== unknownId));

  it("reads text that spells a special token as text", () => {
    const spellings = special.flatMap(({ content }) => [
      content,
      ` ${content}`,
      `a${content}b`,
      content.repeat(3),
      `▁${content}`,
      `Ġ${content}`,
    ]);
    for (const text of spellings) {
      const ids = tokenize(text);
      expect(ids.length).toBeGreaterThan(0);
      expect(ids.filter((id) => forbidden.has(id))).toEqual([]);
    }
  });

  it("never gives a special token's id, whatever the text", () => {
    for (const text of strings(1000, 4)) {
      const ids = tokenize(special.reduce((around, { content }) => `${content}${around}${content}`, text));
      expect(ids.filter((id) => forbidden.has(id) || !Number.isSafeInteger(id))).toEqual([]);
    }
  });

  it("reads a lone surrogate as the replacement character", () => {
    expect(tokenize("a\ud800b\udc00")).toEqual(tokenize("a\ufffdb\ufffd"));
  });

  it("reads nothing of an empty text", () => {
    expect(tokenize("")).toEqual([]);
  });

  it("knows the ids of its special tokens, and which of them pads", () => {
    for (const { content, id } of special) expect(idOf(content)).toBe(id);
    expect(special.find(({ id }) => id === padId)?.content).toMatch(/pad/i);
    expect(idOf("the")).toBeUndefined();
    expect(idOf("<<LABEL>>")).toBeUndefined();
  });

  it("reads a long text without a word's end", () => {
    for (const unit of ["a", " ", "\n", "▁", "漢", "🙂", "e\u0301", "'", "👩‍👩‍👧", "!", "[MASK]", "\r\n", " \t", "\ud800"]) {
      const ids = tokenize(unit.repeat(Math.ceil(LONG_CHARACTERS / unit.length)));
      expect(ids.length).toBeLessThanOrEqual(4 * LONG_CHARACTERS);
    }
  });
});

describe("What is unknown", () => {
  it.each([
    ["wordpiece-uncased", "[UNK]"],
    ["unigram", "<unk>"],
    ["deberta-unigram", "[UNK]"],
  ])("has an id with %s", (kind, token) => {
    const { tokenize, unknownId, idOf } = makeHubTokenizer(tokenizerJson(kind));
    expect(unknownId).toBe(idOf(token));
    expect(tokenize("ⵣ")).toContain(unknownId);
  });

  it.each(["byte-level-bpe", "modern-bpe", "byte-fallback-bpe", "byte-fallback-unigram"])("there is none with %s", (kind) => {
    expect(makeHubTokenizer(tokenizerJson(kind)).unknownId).toBeUndefined();
  });
});

describe("A file that does not say everything of its special tokens", () => {
  it("cannot make text of the padding token", () => {
    const json = changed("deberta-unigram", (file) => (file.added_tokens = file.added_tokens.filter(({ content }) => content !== "[PAD]")));
    const { padId, tokenize } = makeHubTokenizer(json);
    expect(tokenize("[PAD] a[PAD]a")).not.toContain(padId);
  });

  it("cannot give their ids to another text", () => {
    const json = changed("deberta-unigram", ({ added_tokens: added }) => {
      const [mask] = added.filter(({ content }) => content === "[MASK]");
      added.push({ ...mask, content: "mask", special: false, normalized: false });
    });
    const { idOf, tokenize } = makeHubTokenizer(json);
    expect(idOf("[MASK]")).toBeGreaterThan(0);
    expect(tokenize("a mask")).not.toContain(idOf("[MASK]"));
  });
});

describe("Tokens that a family places itself", () => {
  const marked = (isSpecial: boolean): TokenizerJson =>
    changed("deberta-unigram", ({ added_tokens: added }) => {
      added.push({
        id: 901,
        content: "<<LABEL>>",
        special: isSpecial,
        normalized: false,
        single_word: false,
        lstrip: false,
        rstrip: false,
      });
    });

  it("have an id, and text that spells them is text", () => {
    const { idOf, tokenize } = makeHubTokenizer(marked(true));
    expect(idOf("<<LABEL>>")).toBe(901);
    expect(tokenize("<<LABEL>> a")).not.toContain(901);
  });

  it("are so even where the file does not say that they are special", () => {
    expect(makeHubTokenizer(marked(false)).tokenize("<<LABEL>> a")).toContain(901);
    const { idOf, tokenize } = makeHubTokenizer(marked(false), ["<<LABEL>>"]);
    expect(idOf("<<LABEL>>")).toBe(901);
    expect(tokenize("<<LABEL>> a")).not.toContain(901);
  });
});

describe("A pair", () => {
  const pairOf = (kind: string): unknown => makeHubTokenizer(tokenizerJson(kind)).pair;
  it("is joined as the post-processor says", () => {
    expect(pairOf("wordpiece-uncased")).toEqual({
      before: [{ id: 2, type: 0 }],
      between: [{ id: 3, type: 0 }],
      after: [{ id: 3, type: 1 }],
      premiseType: 0,
      hypothesisType: 1,
    });
    expect(pairOf("byte-level-bpe")).toEqual({
      before: [{ id: 0, type: 0 }],
      between: [
        { id: 2, type: 0 },
        { id: 2, type: 0 },
      ],
      after: [{ id: 2, type: 0 }],
      premiseType: 0,
      hypothesisType: 0,
    });
  });

  it("is joined the same by BertProcessing, and by a template in a sequence with ByteLevel", () => {
    const classic = { type: "BertProcessing", sep: ["[SEP]", 3], cls: ["[CLS]", 2] };
    const expected = pairOf("wordpiece-uncased");
    const asBert = changed("wordpiece-uncased", (json) => (json.post_processor = classic));
    expect(makeHubTokenizer(asBert).pair).toEqual(expected);
    const inSequence = changed("wordpiece-uncased", (json) => {
      json.post_processor = { type: "Sequence", processors: [{ type: "ByteLevel", trim_offsets: true }, json.post_processor] };
    });
    expect(makeHubTokenizer(inSequence).pair).toEqual(expected);
  });

  it("must be joined somehow, the first text first", () => {
    const withPair = (pair: unknown): TokenizerJson =>
      changed("wordpiece-uncased", (json) => (json.post_processor = { type: "TemplateProcessing", pair, special_tokens: {} }));
    const text = (id: string): unknown => ({ Sequence: { id, type_id: 0 } });
    expect(() => makeHubTokenizer(changed("wordpiece-uncased", (json) => (json.post_processor = null)))).toThrow(/no post-processor/);
    expect(() => makeHubTokenizer(changed("wordpiece-uncased", (json) => (json.post_processor = { type: "ByteLevel" })))).toThrow(
      /pair of texts/,
    );
    expect(() => makeHubTokenizer(withPair([text("A")]))).toThrow(/no template for a pair/);
    expect(() => makeHubTokenizer(withPair([text("B"), text("A")]))).toThrow(/first text followed by a second/);
    expect(() => makeHubTokenizer(withPair([text("A"), { SpecialToken: { id: "[X]", type_id: 0 } }, text("B")]))).toThrow(/special token/);
  });
});

describe("Letters are read one by one, as Rust does", () => {
  const withVocabulary = (...pieces: string[]): ((text: string) => readonly number[]) => {
    const all = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ...pieces];
    const json = changed("wordpiece-uncased", ({ model }) => (model.vocab = Object.fromEntries(all.map((piece, id) => [piece, id]))));
    return makeHubTokenizer(json).tokenize;
  };

  it("a sigma at a word's end becomes the same small letter as any other", () => {
    expect(withVocabulary("οδοσ", "οδος")("ΟΔΟΣ")).toEqual([5]);
  });

  it("a Chinese letter beyond the first plane is a word, too", () => {
    expect(withVocabulary("𠀀", "𠀁")("𠀀𠀁")).toEqual([5, 6]);
  });
});
