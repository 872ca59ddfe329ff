import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Answer, ChoiceAnswer } from "../../../src/library/decide/types.ts";
import { likeliestKey, logOddsOf, passagesOf, sentencesOf } from "../../../src/library/explain/explain.ts";

const choice = (probabilities: ChoiceAnswer["probabilities"]): Answer => ({ type: "choice", choice: "", confidence: 0, probabilities });
const noul = (p: number): Answer => ({ type: "noul", noul: p });

describe("the part of an answer that is explained", () => {
  test("is the likeliest one, the first on a tie", () => {
    expect(likeliestKey(choice({ a: 0.3, b: 0.4, c: 0.3 }))).toBe("b");
    expect(likeliestKey(choice({ a: 0.5, b: 0.5 }))).toBe("a");
  });

  test("is yes from 0.5 on, else no", () => {
    expect([0.5, 0.9, 0.4999].map((p) => likeliestKey(noul(p)))).toEqual(["true", "true", "false"]);
  });
});

describe("log-odds", () => {
  test("are those of the probability", () => {
    expect(logOddsOf(noul(0.8), "true")).toBeCloseTo(Math.log(4), 12);
    expect(logOddsOf(noul(0.8), "false")).toBeCloseTo(-Math.log(4), 12);
    expect(logOddsOf(choice({ a: 0.2, b: 0.5, c: 0.3 }), "b")).toBeCloseTo(0, 12);
  });

  test("are exact where a probability is so near to 1 that it cannot be told from it", () => {
    expect(logOddsOf(choice({ a: 1, b: 3e-11, c: 1e-11 }), "a")).toBeCloseTo(-Math.log(4e-11), 9);
  });

  test("are finite at certainty", () => {
    expect(logOddsOf(noul(1), "true")).toBeCloseTo(27.63, 2);
    expect(logOddsOf(noul(0), "true")).toBeCloseTo(-27.63, 2);
  });

  test("do not depend on the order of the criteria by a bit", () => {
    const shares = { a: 0.1, b: 0.2, c: 0.3, d: 0.4 };
    const turned = Object.fromEntries(Object.entries(shares).toReversed());
    expect(logOddsOf(choice(turned), "d")).toBe(logOddsOf(choice(shares), "d"));
  });
});

function partsOf(text: string): string[] {
  const starts = sentencesOf(text);
  return starts.map((start, i) => text.slice(start, starts[i + 1]));
}

describe("the sentences of a text", () => {
  test("are all of it, in order, and never split a character", () => {
    const piece = fc.constantFrom(
      "Dr. ",
      "a",
      "Yes.",
      " ",
      "\n",
      "\r\n",
      "😡",
      "猫坐了。",
      "- ",
      "key: value",
      ".",
      "\ud83d",
      "word ".repeat(90),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const parts = partsOf(text);
        expect(parts.join("")).toBe(text);
        expect(parts).not.toContain("");
        for (const [i, part] of parts.entries()) {
          expect(i > 0 && /^\s/u.test(part)).toBe(false);
          expect(/[\ud800-\udbff]$/.test(part) && /^[\udc00-\udfff]/.test(parts[i + 1] ?? "")).toBe(false);
        }
      }),
    );
  });

  test("end at sentence marks, not at abbreviations", () => {
    expect(partsOf("Dr. Smith paid approx. 3 EUR. J. K. Rowling saw it! How come?")).toEqual([
      "Dr. Smith paid approx. 3 EUR. ",
      "J. K. Rowling saw it! ",
      "How come?",
    ]);
  });

  test("end at a full stop also where people write in small letters", () => {
    expect(partsOf("the cup broke. i want my money back. it was approx. ten euros")).toEqual([
      "the cup broke. ",
      "i want my money back. ",
      "it was approx. ten euros",
    ]);
  });

  test("are found in Chinese", () => {
    expect(partsOf("这个杯子坏了。我要退款！你们什么时候处理？")).toEqual(["这个杯子坏了。", "我要退款！", "你们什么时候处理？"]);
  });

  test("are the lines of a structured state or a list, each with the sentences in it", () => {
    expect(partsOf("name: Ada\nage: 3\nnotes: it broke. Why?\nitems: - a cup\n- a lid")).toEqual([
      "name: Ada\n",
      "age: 3\n",
      "notes: it broke. Why?\n",
      "items: - a cup\n",
      "- a lid",
    ]);
    expect(partsOf("body: The cup broke. I want another one.")).toEqual(["body: The cup broke. ", "I want another one."]);
  });

  test("go on in the next line of a text with hard line breaks", () => {
    expect(partsOf("The cup that I\nordered in March\nis broken. Please\n\nsend another one.\nThanks")).toEqual([
      "The cup that I\nordered in March\nis broken. ",
      "Please\n\nsend another one.\n",
      "Thanks",
    ]);
  });

  test("take fragments and lines without words in", () => {
    expect(partsOf("1. Open it. No. I do not.\n\n--\n  Bob")).toEqual(["1. Open it. ", "No. I do not.\n\n--\n  ", "Bob"]);
  });

  test("are cut between words where there are no sentence marks, or characters where there are no words", () => {
    const words = partsOf("word ".repeat(300));
    expect(words.length).toBeGreaterThan(3);
    expect(words.every((part) => part.length <= 400 && /^(?:word )+$/u.test(part))).toBe(true);
    const faces = partsOf(`a${"😡".repeat(2000)}`);
    expect(faces.length).toBeGreaterThan(3);
    expect(faces.every((part) => /^a?😡+$/u.test(part))).toBe(true);
  });

  test("of an empty text there are none, of white space there is one", () => {
    expect(partsOf("")).toEqual([]);
    expect(partsOf(" \n ")).toEqual([" \n "]);
  });
});

test("passages are the sentences while there are few enough", () => {
  expect(passagesOf("The cup broke. I want another.", 2)).toEqual([
    { start: 0, end: 15 },
    { start: 15, end: 30 },
  ]);
});

test("more sentences are grouped into passages of about equal length, all of the text", () => {
  const text = "One short one. And here is one that is quite a bit longer than that. Then one more. ".repeat(50);
  const passages = passagesOf(text, 7);
  expect(passages).toHaveLength(7);
  expect(passages.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
  for (const { start, end } of passages) {
    expect(text.slice(start, end)).toMatch(/^[A-Z].*\. $/u);
    expect(Math.abs(end - start - text.length / 7)).toBeLessThan(120);
  }
});

test("one passage is the whole text", () => {
  expect(passagesOf("The cup broke. I want another.", 1)).toEqual([{ start: 0, end: 30 }]);
});
