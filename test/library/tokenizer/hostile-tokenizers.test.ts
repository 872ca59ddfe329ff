import { describe, expect, it } from "vitest";
import { makeHubTokenizer } from "../../../src/library/tokenizer/hub-tokenizer.ts";
import { tokenizerJson } from "../../support/tokenizers.ts";
import type { TokenizerJson } from "../../support/tokenizers.ts";

type Change = (json: TokenizerJson) => unknown;
const made =
  (kind: string, change: Change): (() => unknown) =>
  () => {
    const json = tokenizerJson(kind);
    change(json);
    return makeHubTokenizer(json);
  };

describe("A part that is not supported is named", () => {
  it.each<[string, Change, RegExp]>([
    ["normalizer", (json) => (json.normalizer = { type: "Nmt" }), /normalizer "Nmt" is not supported/],
    ["pre-tokenizer", (json) => (json.pre_tokenizer = { type: "UnicodeScripts" }), /pre-tokenizer "UnicodeScripts" is not supported/],
    ["post-processor", (json) => (json.post_processor = { type: "Other" }), /post-processor "Other" is not supported/],
    ["model", (json) => (json.model["type"] = "WordLevel"), /model "WordLevel" is not supported/],
    ["model without a type", (json) => delete json.model["type"], /model of type undefined is not supported/],
    ["dropout", (json) => (json.model["dropout"] = 0.1), /"dropout" is not supported/],
    ["suffix", (json) => (json.model["end_of_word_suffix"] = "</w>"), /"end_of_word_suffix" is not supported/],
    ["padding token", (json) => (json.added_tokens = json.added_tokens.filter(({ content }) => content !== "<pad>")), /no padding token/],
  ])("%s", (_, change, message) => {
    const withoutPad: Change = (json) => {
      change(json);
      if (message.source.includes("padding")) delete (json.model.vocab as Record<string, number>)["<pad>"];
    };
    expect(made("byte-level-bpe", withoutPad)).toThrow(message);
  });
});

describe("What a stranger's file could do is refused", () => {
  const splitBy = (pattern: unknown): Change => {
    return (json) => (json.pre_tokenizer = { type: "Split", pattern, behavior: "Isolated", invert: false });
  };
  const replace = (pattern: unknown, content: unknown): unknown => ({ type: "Replace", pattern, content });

  it.each([
    "(a+)+b",
    "a+b",
    "(?:a|a)*c",
    "a*a*a*b",
    ".*",
    "(?<=a+)b",
    "a+?b",
    "[a-z&&[^x]]",
    "\\w+\\s*$",
    "\\b",
    "a|b+c",
    "",
    "(",
    "[z-a]",
    "\\p{Nope}",
    "a{0,3}",
    "b|a{0}",
  ])("an expression that may take for ever, or that we do not read: %s", (expression) => {
    expect(made("byte-level-bpe", splitBy({ Regex: expression }))).toThrow(/expression .* is not supported/);
    expect(made("byte-level-bpe", (json) => (json.normalizer = replace({ Regex: expression }, "")))).toThrow(
      /expression .* is not supported/,
    );
  });

  it.each([" {2,}", "\\s+", "\\s{2,}|[\\n\\r\\t]", "[^\\p{L}\\-]", "\\p{Nd}{1,3}", "\\."])("though not a simple one: %s", (expression) => {
    expect(made("byte-level-bpe", splitBy({ Regex: expression }))).not.toThrow();
  });

  it.each<[string, Change]>([
    ["an empty text to look for", splitBy({ String: "" })],
    ["no pattern", splitBy(undefined)],
    [
      "replacements that grow",
      (json) => (json.normalizer = { type: "Sequence", normalizers: Array(4).fill(replace({ String: "a" }, "a".repeat(16))) }),
    ],
    ["a long replacement", (json) => (json.normalizer = replace({ String: "a" }, "a".repeat(1000)))],
    ["a long text before all others", (json) => (json.normalizer = { type: "Prepend", prepend: "a".repeat(1000) })],
    ["sequences in sequences", (json) => (json.normalizer = { type: "Sequence", normalizers: [{ type: "Sequence", normalizers: [] }] })],
    ["an id that is no whole number", (json) => ((json.model.vocab as Record<string, unknown>)["the"] = 1.5)],
    ["an id below 0", (json) => ((json.model.vocab as Record<string, unknown>)["the"] = -1)],
    ["an id beyond any vocabulary", (json) => ((json.model.vocab as Record<string, unknown>)["the"] = 2 ** 53)],
    ["an id that is a text", (json) => ((json.model.vocab as Record<string, unknown>)["the"] = "7")],
    ["an added token's id", (json) => (json.added_tokens[0] = { ...json.added_tokens[0], id: 1e9 })],
    ["an added token without content", (json) => (json.added_tokens[0] = { id: 0, special: true })],
    ["an added token as long as a book", (json) => (json.added_tokens[0] = { id: 0, content: "a".repeat(1000), special: true })],
    ["merges of what is no token", (json) => ((json.model["merges"] as unknown[])[0] = ["nowhere", "else"])],
    ["merges of three", (json) => ((json.model["merges"] as unknown[])[0] = "a b c")],
    ["merges that are none", (json) => (json.model["merges"] = { a: "b" })],
    ["a vocabulary that is none", (json) => (json.model.vocab = "a")],
    ["a padding id", (json) => (json.padding = { pad_id: 0.5 })],
    ["a token type", (json) => (json.post_processor = { type: "RobertaProcessing", sep: ["</s>", -2], cls: ["<s>", 0] })],
    ["an unknown token that there is not", (json) => (json.model["unk_token"] = "nowhere")],
  ])("%s", (_, change) => {
    expect(made("byte-level-bpe", change)).toThrow(Error);
  });

  it.each([null, undefined, 7, "{}", [], {}, { model: null }, { model: {} }])("no tokenizer at all: %j", (json) => {
    expect(() => makeHubTokenizer(json)).toThrow(Error);
  });

  it.each<[string, Change]>([
    ["a score that is no number", (json) => ((json.model.vocab as unknown[])[9] = ["x", null])],
    ["a piece that is no text", (json) => ((json.model.vocab as unknown[])[9] = [7, -1])],
    ["a piece as long as a page", (json) => ((json.model.vocab as unknown[])[9] = ["a".repeat(1000), -1])],
    [
      "pieces that fill the memory",
      (json) => (json.model.vocab as unknown[]).push(...Array.from({ length: 20_000 }, (_, at) => [String(at).padEnd(250, "x"), -1])),
    ],
    ["an unknown token beyond the vocabulary", (json) => (json.model["unk_id"] = 1e6)],
    ["no unknown token", (json) => (json.model["unk_id"] = null)],
    ["a charsmap that is no base64", (json) => (json.normalizer = { type: "Precompiled", precompiled_charsmap: "!" })],
    ["a charsmap that is cut off", (json) => (json.normalizer = { type: "Precompiled", precompiled_charsmap: btoa("\xff\xff\0\0abcd") })],
    [
      "a charsmap that grows",
      (json) => (json.normalizer = { type: "Precompiled", precompiled_charsmap: btoa(`\x04\0\0\0\0\0\0\0${"a".repeat(100)}`) }),
    ],
    ["a mark of metaspace that is a word", (json) => (json.pre_tokenizer = { type: "Metaspace", replacement: "word" })],
  ])("%s", (_, change) => {
    expect(made("unigram", change)).toThrow(Error);
  });

  it("and a charsmap whose nodes lead in circles is read to its end", () => {
    const units = Uint32Array.from({ length: 256 }, (_, at) => at);
    const bytes = [...new Uint8Array(Uint32Array.of(units.byteLength).buffer), ...new Uint8Array(units.buffer), 0];
    const charsmap = btoa(String.fromCharCode(...bytes));
    const json = tokenizerJson("unigram");
    json.normalizer = { type: "Precompiled", precompiled_charsmap: charsmap };
    expect(makeHubTokenizer(json).tokenize("Ångström 🙂").length).toBeGreaterThan(0);
  });

  it("names of objects' own members are pieces as any other", () => {
    const json = tokenizerJson("wordpiece-cased");
    json.model.vocab = JSON.parse('{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"__proto__":7,"constructor":5,"_":6,"[MASK]":4}');
    json.pre_tokenizer = { type: "WhitespaceSplit" };
    const { tokenize } = makeHubTokenizer(json);
    expect(tokenize("__proto__ constructor toString _")).toEqual([7, 5, 1, 6]);
  });
});

describe("A tokenizer.json of older tools is read", () => {
  it("with merges as texts, and metaspace that says whether a space is added", () => {
    const json = tokenizerJson("byte-level-bpe");
    const { tokenize } = makeHubTokenizer(tokenizerJson("byte-level-bpe"));
    json.model["merges"] = (json.model["merges"] as string[][]).map((pair) => pair.join(" "));
    expect(makeHubTokenizer(json).tokenize("the government's information")).toEqual(tokenize("the government's information"));
    const old = tokenizerJson("unigram");
    old.pre_tokenizer = { type: "Metaspace", replacement: "▁", str_rep: "▁", add_prefix_space: false };
    expect(makeHubTokenizer(old).tokenize("the a")).not.toEqual(makeHubTokenizer(tokenizerJson("unigram")).tokenize("the a"));
  });
});
