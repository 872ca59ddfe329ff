import { describe, expect, test } from "vitest";
import { choiceFrom, noulFrom, scoreFrom, withIds } from "../../../../src/tools/cli/input/request-flags.ts";

describe("--choose", () => {
  test("takes options separated by commas, with a default question", () => {
    expect(choiceFrom("billing, technical ,other")).toEqual({
      type: "choice",
      instructions: "Which of these fits best?",
      criteria: { billing: null, technical: null, other: null },
    });
  });

  test.each([
    ["Which team? a, b", "Which team?"],
    ["Which team?: a, b", "Which team?"],
    ["Pick the team, please: a, b", "Pick the team, please"],
    ["Which of 10:30 and 11:00? a, b", "Which of 10:30 and 11:00?"],
  ])("takes a question before the options: %s", (text, instructions) => {
    expect(choiceFrom(text)).toMatchObject({ instructions, criteria: { a: null, b: null } });
  });

  test("takes descriptions after =, which may contain ?, : and =", () => {
    const { instructions, criteria } = choiceFrom("Which? billing=asks: what did I pay? a=b, other");
    expect(instructions).toBe("Which?");
    expect(criteria).toEqual({ billing: "asks: what did I pay? a=b", other: null });
    expect(choiceFrom("billing=asks: why? or so, other").instructions).toBe("Which of these fits best?");
  });

  test("ends the question only at a mark that is followed by a space", () => {
    expect(Object.keys(choiceFrom("Refund?,Exchange?,10:30").criteria)).toEqual(["Refund?", "Exchange?", "10:30"]);
  });

  test("takes the character after a backslash literally", () => {
    const { instructions, criteria } = choiceFrom(String.raw`Really\? yes\, always=a\=b\, c, 1\=1, back\\slash`);
    expect(instructions).toBe("Which of these fits best?");
    expect(criteria).toEqual({ "Really? yes, always": "a=b, c", "1=1": null, "back\\slash": null });
  });

  test("skips empty options, and accepts any name as a key", () => {
    expect(Object.entries(choiceFrom("__proto__,,constructor,").criteria)).toEqual([
      ["__proto__", null],
      ["constructor", null],
    ]);
  });

  test("refuses too few options, too many, and one without a name", () => {
    expect(() => choiceFrom("Which team?")).toThrow("Separate at least 2 options with commas.");
    expect(() => choiceFrom(Array.from({ length: 256 }, (_, i) => i).join(","))).toThrow("It may hold at most 255 options, but holds 256.");
    expect(() => choiceFrom("a, =more")).toThrow("An option has no name in front of its =.");
  });

  test("refuses an option that appears twice", () => {
    expect(() => choiceFrom("a, b, a=again")).toThrow('The option "a" appears twice.');
  });
});

test("--rate takes levels from low to high, which may contain =", () => {
  expect(scoreFrom("How angry? calm, x=y, furious")).toEqual({
    type: "score",
    instructions: "How angry?",
    criteria: ["calm", "x=y", "furious"],
  });
  expect(scoreFrom("low, high").instructions).toBe("Which level describes it best?");
});

test("--rate refuses too many levels", () => {
  expect(() => scoreFrom("a,b,c,d,e,f,g,h,i,j,k")).toThrow("It may hold at most 10 levels, but holds 11.");
});

test("--ask takes the whole text as the question", () => {
  expect(noulFrom("Is it a, b or c? Say: yes")).toEqual({ type: "noul", instructions: "Is it a, b or c? Say: yes" });
});

test("questions get ids from their flags, in the order asked", () => {
  const [a, b, c, d] = [noulFrom("a"), choiceFrom("b, c"), noulFrom("d"), noulFrom("e")] as const;
  const questions = withIds([
    ["ask", a],
    ["choose", b],
    ["ask", c],
    ["ask", d],
  ]);
  expect(Object.entries(questions)).toEqual([
    ["ask", a],
    ["choose", b],
    ["ask_2", c],
    ["ask_3", d],
  ]);
});
