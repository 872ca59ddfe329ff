import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { renderText } from "../../../src/library/decide/questions/question-kind.ts";
import { isUnread } from "../../../src/library/tokenizer/bert-tokenizer.ts";
import { makeBertTokenizer } from "../../../src/library/tokenizer/bert-tokenizer.ts";
import { Field } from "../../../src/library/validation/field.ts";
import { PACK_URL } from "../../support/package-root.ts";

const read = async (url: URL): Promise<unknown> => JSON.parse(await readFile(url, "utf8"));
const { wordsOf } = makeBertTokenizer(await read(new URL("tokenizer.json", PACK_URL)));
const texts = (await read(new URL("state-texts.json", import.meta.url))) as {
  read: Record<string, unknown>;
  unread: Record<string, unknown>;
};
const unread = (state: unknown): boolean => isUnread(wordsOf(renderText(new Field(state, []))));

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
