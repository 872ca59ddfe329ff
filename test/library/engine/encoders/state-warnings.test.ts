import { expect, it } from "vitest";
import { stateWarnings } from "../../../../src/library/engine/encoders/state-warnings.ts";

const UNKNOWN = 3;
/** A token for every few letters of a word. */
const pieces =
  (length: (word: string) => number) =>
  (text: string): number[] =>
    text
      .trim()
      .split(/\s+/u)
      .flatMap((word) => Array.from({ length: Math.ceil(word.length / length(word)) }, () => 7));
const whole = (word: string): number => word.length;
const isLatin = (word: string): boolean => /^[\p{ASCII}\p{sc=Latin}]+$/u.test(word);

const ENGLISH_ONLY = pieces((word) =>
  !isLatin(word) ? 1 : /^(?:the|customer|says|that|parcel|has|not|arrived)$/iu.test(word) ? word.length : 2,
);
const GERMAN_ONLY = pieces((word) =>
  !isLatin(word) ? 1 : /^(?:the|customer|says|that|parcel|has|not|arrived)$/iu.test(word) ? 2 : word.length,
);
const GERMAN = "Das Paket ist nie angekommen, und ich will jetzt mein Geld zurück.";
const RUSSIAN = "Посылка так и не пришла, верните мне деньги.";
const warningsOf = (state: string, tokenize: (text: string) => number[]): readonly string[] =>
  stateWarnings(state, tokenize(state), { tokenize, unknownId: undefined });

it("a text of which a third or more is unknown is unread", () => {
  const vocabulary = { tokenize: ENGLISH_ONLY, unknownId: UNKNOWN };
  expect(stateWarnings("text", [UNKNOWN], vocabulary)).toEqual(["unread_text"]);
  expect(stateWarnings("text", [7, UNKNOWN, 8], vocabulary)).toEqual(["unread_text"]);
  expect(stateWarnings("text", [7, UNKNOWN, 8, 9], vocabulary)).toEqual([]);
});

it("nothing is unknown where the vocabulary can spell everything", () => {
  expect(warningsOf("text", ENGLISH_ONLY)).toEqual([]);
});

it("a text without tokens is empty, and so is white space that has some", () => {
  expect(stateWarnings("", [], { tokenize: ENGLISH_ONLY, unknownId: UNKNOWN })).toEqual(["empty_state"]);
  expect(stateWarnings(" \n\t", [7, 8], { tokenize: ENGLISH_ONLY, unknownId: undefined })).toEqual(["empty_state"]);
});

it.each([GERMAN, RUSSIAN])("a text in another language is unread by a vocabulary of English: %s", (state) => {
  expect(warningsOf(state, ENGLISH_ONLY)).toEqual(["unread_text"]);
});

it.each([GERMAN, RUSSIAN])("but not by one of many languages, which has their words whole: %s", (state) => {
  expect(warningsOf(state, pieces(whole))).toEqual([]);
});

it("nor by one of that language, whose words it spells better than those of English", () => {
  expect(warningsOf(GERMAN, GERMAN_ONLY)).toEqual([]);
  expect(warningsOf(RUSSIAN, GERMAN_ONLY)).toEqual(["unread_text"]);
});

it("words that a vocabulary of many languages lacks are still unknown to it", () => {
  const tokenize = pieces(whole);
  expect(stateWarnings(RUSSIAN, [UNKNOWN, UNKNOWN, 7], { tokenize, unknownId: UNKNOWN })).toEqual(["unread_text"]);
});
