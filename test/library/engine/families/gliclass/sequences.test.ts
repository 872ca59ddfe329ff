import { describe, expect, it } from "vitest";
import type { QuestionText } from "../../../../../src/library/engine/engine.ts";
import { framed, textTokens } from "../../../../../src/library/engine/families/gliclass/family.ts";

const [CLS, SEP, LABEL, SEPARATOR] = [1, 2, 3, 4];
const token = (id: number): { id: number; type: number } => ({ id, type: 0 });
const TOKENIZER = { pair: { before: [token(CLS)], between: [token(SEP)], after: [token(SEP)], premiseType: 0, hypothesisType: 1 } };
/** A token a character: its code. */
const tokenize = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));
const [a, b, c, p] = tokenize("abcp");

const plain = { label: "{option}", prompt: "{instructions}" };
const TEMPLATES = { choice: plain, noul: { label: "{instructions}{option}", prompt: "{instructions}" }, score: plain };

function frame(
  options: readonly string[],
  instructions: string,
  promptFirst = true,
  type: QuestionText["type"] = "choice",
): ReturnType<typeof framed> {
  const question = { type, instructions, options: options.map((text) => ({ text, sent: [text], answer: text })) };
  return framed(question, { templates: TEMPLATES, promptFirst }, TOKENIZER, { label: LABEL, separator: SEPARATOR }, tokenize);
}

describe("a question around a text", () => {
  it("stands before it", () => {
    expect(frame(["a", "b"], "p")).toMatchObject({ before: [CLS, LABEL, a, LABEL, b, SEPARATOR, p], behind: [SEP], followsWords: true });
  });

  it("stands behind it, for models that were trained so", () => {
    expect(frame(["a", "b"], "p", false)).toMatchObject({
      before: [CLS],
      behind: [LABEL, a, LABEL, b, SEPARATOR, p, SEP],
      followsWords: false,
    });
  });

  it("has its labels by length, then by token ids, each once", () => {
    const { before, labels, labelOf } = frame(["bb", "b", "a", "b", "ba"], "");
    expect(labels.map((tokens) => String.fromCharCode(...tokens))).toEqual(["a", "b", "ba", "bb"]);
    expect(labelOf).toEqual([3, 1, 0, 1, 2]);
    expect(before.filter((id) => id === LABEL)).toHaveLength(4);
  });

  it("has no prompt without instructions, and reads each type by its template", () => {
    expect(frame(["a"], " \n")).toMatchObject({ before: [CLS, LABEL, a, SEPARATOR], followsWords: false });
    expect(frame(["a", "b"], "p", true, "noul").before).toEqual([CLS, LABEL, p, a, LABEL, p, b, SEPARATOR, p]);
  });

  it("has a label of nothing for an option of nothing", () => {
    expect(frame(["", "c"], "").before).toEqual([CLS, LABEL, LABEL, c, SEPARATOR]);
  });
});

it("a text behind words is set off by one space", () => {
  const read = (text: string, followsWords: boolean): string => String.fromCharCode(...textTokens(text, { followsWords }, tokenize));
  expect(read("text", true)).toBe(" text");
  expect(read(" text", true)).toBe(" text");
  expect(read("\ntext", true)).toBe(" \ntext");
  expect(read("", true)).toBe("");
  expect(read("text", false)).toBe("text");
});
