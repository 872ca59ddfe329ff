import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import { beforeAll, describe, expect, it } from "vitest";
import { renderText } from "../../../src/library/decide/questions/question-kind.ts";
import * as language from "../../../src/library/engine/language.ts";
import { isUnread, makeBertTokenizer, wordPiece } from "../../../src/library/tokenizer/bert-tokenizer.ts";
import type { BertTokenizer } from "../../../src/library/tokenizer/bert-tokenizer.ts";
import { Field } from "../../../src/library/validation/field.ts";
import { PACK_URL } from "../../support/package-root.ts";

/** That it gives Rust's tokens is what `bert-text.test.ts` and the golden vectors hold. */
describe("the tokenizer", () => {
  let json: Record<string, unknown>;
  let tokenize: BertTokenizer["tokenize"];
  let wordsOf: BertTokenizer["wordsOf"];
  beforeAll(async () => {
    json = JSON.parse(await readFile(new URL("tokenizer.json", PACK_URL), "utf8")) as Record<string, unknown>;
    ({ tokenize, wordsOf } = makeBertTokenizer(json));
  });

  it("gives the ids that the library's whole tokenizer gives of texts that its replacements change", () => {
    const whole = new Tokenizer(json, {});
    for (const text of ["ΣΣ ΟΔΟΣ", "a\u{20000}b\u{2a6df}\u{3fffd}", "$& Σ $1 \u{20001}"])
      expect(tokenize(text)).toEqual(whole.encode(text, { add_special_tokens: false }).ids);
  });

  it.each([
    ["model", { type: "BPE" }],
    ["model", undefined],
    ["pre_tokenizer", { type: "Whitespace" }],
    ["normalizer", { type: "Sequence", normalizers: [{ type: "NFC" }] }],
    ["normalizer", { type: "Sequence", normalizers: [{ type: "Replace", pattern: { Regex: "\\s+" }, content: " " }] }],
    ["normalizer", null],
    ["added_tokens", [{ id: 0, content: "[PAD]" }]],
  ])("refuses another kind: %s %j", (part, value) => {
    expect(() => makeBertTokenizer({ ...json, [part]: value })).toThrow();
  });

  const bert = { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true };
  const replacing = (pattern: object, content: unknown): object => ({ type: "Replace", pattern, content });

  it.each<[string, object[]]>([
    ["an expression that backtracks without end", [replacing({ Regex: "(a+)+$" }, "")]],
    ["a class with an expression in it", [replacing({ Regex: "[a]+(a+)+$" }, "")]],
    ["one letter for a whole book", [replacing({ String: "a" }, "b".repeat(17))]],
    ["one letter for a book in a list", [replacing({ String: "a" }, ["b".repeat(17)])]],
    ["two for one, many times over", Array.from({ length: 5 }, () => replacing({ String: "a" }, "aa"))],
    ["something between any two letters", [replacing({ String: "" }, "b")]],
  ])("refuses replacements that would not end or fill the memory: %s", (_, parts) => {
    expect(() => makeBertTokenizer({ ...json, normalizer: { type: "Sequence", normalizers: [...parts, bert] } })).toThrow();
  });

  it.each<[string, object]>([
    ["words of any length", { max_input_chars_per_word: 1e9 }],
    ["words of any length, as a text", { max_input_chars_per_word: "1e9" }],
    ["a long prefix of pieces", { continuing_subword_prefix: "#".repeat(1000) }],
    ["no token for unknown words", { unk_token: "[NONE]" }],
  ])("refuses word pieces that would take long or fail later: %s", (_, change) => {
    expect(() => makeBertTokenizer({ ...json, model: { ...(json["model"] as object), ...change } })).toThrow();
  });

  it.each<[string, unknown]>([
    ["no number", "1"],
    ["not whole", 0.5],
    ["a list", [1]],
  ])("refuses to read an id that is %s", (_, id) => {
    const model = { ...(json["model"] as object), vocab: { "[UNK]": 0, a: id, b: 2 } };
    const broken = makeBertTokenizer({ ...json, model });
    expect(broken.tokenize("b c")).toEqual([2, 0]);
    expect(() => broken.tokenize("a")).toThrow(expect.objectContaining({ code: "model_invalid" }));
  });

  it("knows no words that all objects have", () => {
    const model = { ...(json["model"] as object), vocab: { "[UNK]": 7, a: 1 } };
    expect(makeBertTokenizer({ ...json, model }).tokenize("a constructor __proto__ toString")).toEqual([1, 7, 7, 7, 7, 7, 7, 7]);
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

  it("splits a text into words, and tells into how many pieces each falls", () => {
    expect(wordsOf("The Rückgabe: 我")).toEqual([
      { text: "the", pieces: 1 },
      { text: "ruckgabe", pieces: tokenize("ruckgabe").length },
      { text: ":", pieces: 1 },
      { text: "我", pieces: 1 },
    ]);
    // Over 100 characters the vocabulary does not even try.
    expect(wordsOf("ab".repeat(60))).toEqual([{ text: "ab".repeat(60), pieces: 120 }]);
  });
});

const read = async (url: URL): Promise<unknown> => JSON.parse(await readFile(url, "utf8"));
const { wordsOf } = makeBertTokenizer(await read(new URL("tokenizer.json", PACK_URL)));
const texts = (await read(new URL("state-texts.json", import.meta.url))) as {
  read: Record<string, unknown>;
  unread: Record<string, unknown>;
};
const unread = (state: unknown): boolean => {
  const text = renderText(new Field(state, []));
  return isUnread(text, wordsOf(text), language);
};

describe("English that people send, also with names, ids, slang and figures, is read:", () => {
  it.each(Object.entries(texts.read))("%s", (_, state) => {
    expect(unread(state)).toBe(false);
  });
});

describe("other languages, codes and dumps are not:", () => {
  it.each(Object.entries(texts.unread))("%s", (_, state) => {
    expect(unread(state)).toBe(true);
  });
});

it("an unread text stays unread beside a few English words, and a read one beside a few foreign words", () => {
  const { unread: foreign, read: english } = texts;
  expect(unread(`Message: ${String(foreign["German notice"])}`)).toBe(true);
  expect(unread(`${String(english["ticket"])} Mit freundlichen Grüßen`)).toBe(false);
});

it("an empty text is not unread", () => {
  expect(unread("")).toBe(false);
});

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
