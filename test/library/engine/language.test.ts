import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { isEnglish, isForeign } from "../../../src/library/engine/language.ts";

/** Texts under headings. */
async function textsIn(file: string): Promise<[heading: string, texts: string[]][]> {
  const content = await readFile(new URL(`../../../bench/languages/${file}`, import.meta.url), "utf8");
  return content
    .split(/^# /mu)
    .slice(1)
    .map((section) => {
      const [heading = "", ...texts] = section.split("\n").filter((line) => line.trim() !== "");
      return [heading, texts];
    });
}

// Those that may be tuned on: `npm run bench:languages` prints the figure of all others.
const foreign = (await textsIn("foreign.txt")).map(([heading, texts]) => [heading, texts.slice(0, 8)] as const);
const english = (await textsIn("english.txt")).flatMap(([, texts]) => texts);
const GERMAN = "Guten Tag, mein Paket ist leider nicht angekommen. Bitte schicken Sie es noch einmal.";
const ENGLISH = "Hello, my parcel has not arrived. Please send it once more, and tell me when it will be here.";

describe("sentences as users write them", () => {
  it.each(foreign)("in %s are found", (_, texts) => {
    expect(texts.length).toBe(8);
    expect(texts.filter((text) => !isForeign(text)).length).toBeLessThanOrEqual(2);
  });

  it("in English are not", () => {
    expect(english.length).toBeGreaterThan(200);
    // An address in French form is all that it is.
    expect(english.filter(isForeign)).toEqual(["47 rue de la République, 69002 Lyon"]);
  });
});

describe("a mixed text", () => {
  it("is foreign if two fifths of it are, wherever they stand", () => {
    expect(isForeign(`${GERMAN} ${ENGLISH}`)).toBe(true);
    expect(isForeign(`${ENGLISH}\n\n${GERMAN}`)).toBe(true);
    expect(isForeign(`Forwarded message. ${GERMAN} Sent from my phone.`)).toBe(true);
  });

  it("is English if the rest is small: a quotation, a greeting, a name", () => {
    expect(isForeign(`${ENGLISH} ${ENGLISH} ${GERMAN}`)).toBe(false);
    expect(isForeign(`${ENGLISH} Mit freundlichen Grüßen`)).toBe(false);
    expect(isForeign("Juan de la Cruz and Anne-Marie du Pont asked for a room.")).toBe(false);
  });

  it("is English if the foreign part is a list of dishes with English between them", () => {
    expect(isForeign("Spaghetti alla carbonara: guanciale, pecorino romano, eggs, black pepper. Do not add cream!")).toBe(false);
  });
});

describe("what has no words", () => {
  it.each(["", " ", "42", "!!!", "😡", "0x7f 0x1a", "https://example.org/a/b?c=d", "app.run(x)"])("is not foreign: %j", (text) => {
    expect(isForeign(text)).toBe(false);
  });
});

it("words without their accents, in capitals or beside a link are found, too", () => {
  expect(isForeign("QUIERO QUE ME DEVUELVAN EL DINERO")).toBe(true);
  expect(isForeign("mi pedido no ha llegado https://example.org/orders?id=7")).toBe(true);
  expect(isForeign("je n’ai rien reçu")).toBe(true);
});

it("a long text is read in parts, so its time is bounded", () => {
  const long = (text: string): string => `${text} `.repeat(2_000_000 / text.length);
  expect(isForeign(long(GERMAN))).toBe(true);
  expect(isForeign(long(ENGLISH))).toBe(false);
  expect(isForeign(`${long(ENGLISH)}${long(GERMAN)}`)).toBe(true);
  expect(isForeign("ñ".repeat(1_000_000))).toBe(true);
});

describe("isEnglish", () => {
  it("says so of words with typing errors and of a log, not of codes, a dump or another language", () => {
    expect(isEnglish("thnaks for teh qiuck repsonse")).toBe(true);
    expect(isEnglish(ENGLISH)).toBe(true);
    expect(isEnglish(GERMAN)).toBe(false);
    expect(isEnglish("eUK98iEG8IR3YvDzy012TccHIFEVmg+J8sbayuNEuzES")).toBe(false);
    expect(isEnglish("00000000 6f e6 8a 73 3d 11 61 a1 5d 8e ae 2b b0 42 d7 95")).toBe(false);
    expect(isEnglish("")).toBe(false);
  });
});
