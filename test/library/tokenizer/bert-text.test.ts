import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeBertTokenizer } from "../../../src/library/tokenizer/bert-tokenizer.ts";
import { charactersIn } from "../../../src/library/tokenizer/bert-text.ts";
import { makeHubTokenizer } from "../../../src/library/tokenizer/hub-tokenizer.ts";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { strings } from "../../support/tokenizer-strings.ts";
import { recordedCharacters, recordedIds, tokenizerJson } from "../../support/tokenizers.ts";

const recorded = recordedCharacters();
const { seed, count, block: stringsOfBlock } = recordedIds();

const jsonOf = (id: string): { readonly model: { readonly vocab: object } } =>
  JSON.parse(readFileSync(new URL(`models/${id}/tokenizer.json`, PACKAGE_ROOT), "utf8")) as ReturnType<typeof jsonOf>;
const umpire2 = makeBertTokenizer(jsonOf("umpire-2"));
const TOKENIZERS = {
  "umpire-2": umpire2,
  "umpire-3-base": makeBertTokenizer(jsonOf("umpire-3-base")),
  "wordpiece-cased": makeHubTokenizer(tokenizerJson("wordpiece-cased")),
  "wordpiece-uncased": makeHubTokenizer(tokenizerJson("wordpiece-uncased")),
};

/** Every code point alone, within a word, and alone again: a text for each block of them. */
const probes = Array.from({ length: 0x110000 / recorded.block }, (_, block) => {
  const codes = Array.from({ length: recorded.block }, (_, at) => block * recorded.block + at);
  const characters = codes.filter((code) => code < 0xd800 || code > 0xdfff).map((code) => String.fromCodePoint(code));
  return characters.map((character) => `${character} a${character}b ${character}`).join(" ");
});

/** Of the first two planes, which have nearly all characters that word pieces may spell. */
const common = probes.slice(0, 0x20000 / recorded.block);

/** Indices of the lists that are not those which were recorded. */
function differing(lists: readonly (readonly (string | number)[])[], digests: string): number[] {
  expect(digests).toHaveLength(8 * lists.length);
  const digestOf = (list: readonly (string | number)[]): string => createHash("sha256").update(list.join(",")).digest("hex").slice(0, 8);
  return [...lists.keys()].filter((at) => digestOf(lists[at] ?? []) !== digests.slice(8 * at, 8 * at + 8));
}

const wordsOf = (text: string): readonly string[] => umpire2.wordsOf(text).map((word) => word.text);

describe("Every code point that exists", () => {
  it("is read in words as Rust reads it, by the packs", () => {
    expect(differing(probes.map(wordsOf), recorded.words)).toEqual([]);
  });

  it.each(Object.entries(TOKENIZERS))("has the token ids that Rust gives: %s", (name, { tokenize }) => {
    const ids = common.map((text) => tokenize(text));
    expect(differing(ids, recorded.ids[name] ?? "")).toEqual([]);
  });
});

it("20,000 strings of all kinds have the token ids that Rust gives", () => {
  const ids = Array.from(strings(count, seed), (text) => umpire2.tokenize(text));
  const blocks = Array.from({ length: count / stringsOfBlock }, (_, at) =>
    ids.slice(at * stringsOfBlock, (at + 1) * stringsOfBlock).flat(),
  );
  expect(differing(blocks, recorded.strings)).toEqual([]);
});

it.each([
  ["a mark of 2018, which is no accent to Rust", "a\u09feb \u09fe", 2],
  ["a punctuation mark of 2021, which cuts no word", "a\u061db \u061d", 2],
  ["two letters", "a b", 2],
])("counts the tokens that Rust counts: %s", (_, text, tokens) => {
  expect(umpire2.tokenize(text)).toHaveLength(tokens);
});

it.each(["umpire-2", "umpire-3-base"])("no piece of a pack has a mark that Rust puts into an order: %s", (id) => {
  const pieces = Object.keys(jsonOf(id).model.vocab);
  // After an iota below, which comes last, such a mark moves before it.
  const isMoved = (character: string): boolean => !`\u0345${character}`.normalize("NFD").startsWith("\u0345");
  expect(isMoved("\u0301")).toBe(true);
  expect(pieces.length).toBeGreaterThan(30_000);
  expect(pieces.filter((piece) => Array.from(piece).some(isMoved))).toEqual([]);
});

describe("An engine with another version of Unicode", () => {
  const methods = (["normalize", "toLowerCase"] as const).map((name) => {
    const own = Object.getOwnPropertyDescriptor(String.prototype, name) ?? {};
    return { name, own, ask: own.value as (form?: string) => string };
  });
  let asked = 0;
  let longest = 0;

  /** All that Unicode 14 did not have is another letter to this engine: a capital with an accent. */
  beforeEach(() => {
    const younger = new RegExp(`[${charactersIn(recorded.unassigned)}]`, "gu");
    const read = (text: string): string => {
      asked += 1;
      longest = Math.max(longest, text.length);
      return text.replace(younger, "É");
    };
    for (const { name, own, ask } of methods) {
      const value = function (this: string, ...given: [string?]): string {
        return Reflect.apply(ask, read(this), given);
      };
      Object.defineProperty(String.prototype, name, { ...own, value });
    }
  });
  afterEach(() => {
    for (const { name, own } of methods) Object.defineProperty(String.prototype, name, own);
  });

  it("reads the same words", () => {
    expect("\u1c89".toLowerCase()).toBe("é");
    const words = common.map(wordsOf);
    expect(asked).toBeGreaterThan(100);
    expect(differing(words, recorded.words.slice(0, 8 * common.length))).toEqual([]);
  });

  it("is never asked about many characters at once, since it may take the square of their number", () => {
    longest = 0;
    umpire2.tokenize(`a${"\u0315\u0327".repeat(10_000)}`);
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(3000);
  });

  it("has no say about classes of characters", () => {
    const source = readFileSync(new URL("src/library/tokenizer/bert-text.ts", PACKAGE_ROOT), "utf8");
    expect(source.replaceAll(/^.*\/\/.*$/gmu, "")).not.toMatch(/\\[pPsSwWdDbB]/u);
  });
});
