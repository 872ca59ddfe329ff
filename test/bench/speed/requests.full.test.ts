import { describe, expect, it } from "vitest";
import { load, loadTokens } from "./modules.ts";

const { askedOf, requestOf } = await load("requests");
const { planOf, basePlanOf, TARGET_SIZES, keyOf } = await load("grid");
const { timedPart } = await load("contenders");
const tokens = await loadTokens();

describe("a request", () => {
  const size = { options: 25, tokens: 512, questions: 5 };
  const asked = askedOf(size, tokens);

  it("has exactly the tokens, options and questions that its name says", () => {
    expect(asked.name).toBe("5 questions of 25 options, 512 tokens");
    expect(tokens.count(asked.text)).toBe(512);
    expect(asked.questions).toHaveLength(5);
    for (const { labels } of asked.questions) expect(new Set(labels).size).toBe(25);
    expect(new Set(asked.questions.map(({ instructions }) => instructions)).size).toBe(5);
  });

  it("has another state of the same length each time, so that no answer comes from a cache", () => {
    const states = [0, 1, 7, 42, 9999].map((variant) => requestOf(asked, variant).state);
    expect(new Set(states).size).toBe(5);
    expect(states.map((state) => tokens.count(state))).toEqual([512, 512, 512, 512, 512]);
  });

  it("is known for every size of every plan", () => {
    for (const extent of ["quick", "usual", "full"] as const) {
      const { sizes } = planOf(extent);
      const keys = sizes.map(keyOf);
      expect(new Set(keys).size).toBe(keys.length);
      for (const wanted of Object.values(TARGET_SIZES)) expect(keys).toContain(keyOf(wanted));
    }
    expect(basePlanOf("quick").sizes).toEqual([TARGET_SIZES.usual]);
    expect(basePlanOf("usual").sizes).toEqual(Object.values(TARGET_SIZES));
    expect(planOf("full").sizes).toHaveLength(6 * 5 * 3 + 1);
    for (const wanted of [TARGET_SIZES.manyOptions, { options: 255, tokens: 32, questions: 20 }])
      expect(askedOf(wanted, tokens).questions[0]?.labels).toHaveLength(wanted.options);
    expect(() => askedOf({ options: 5, tokens: 32, questions: 21 }, tokens)).toThrow(RangeError);
  });
});

describe("what a pair model is timed with", () => {
  const questions = (count: number, labels: number): { labels: string[] }[] =>
    Array.from({ length: count }, () => ({ labels: Array.from({ length: labels }, (_, i) => `label ${i}`) }));

  it("is the whole request where that is few pairs", () => {
    const { parts, scale } = timedPart(questions(20, 5), 100);
    expect([parts.length, scale]).toEqual([20, 1]);
  });

  it("is a part of the questions, or of the only one, and is scaled to all pairs", () => {
    const some = timedPart(questions(20, 5), 20);
    expect([some.parts.length, some.scale]).toEqual([4, 5]);
    const one = timedPart(questions(1, 255), 100);
    expect([one.parts.map((labels) => labels.length), one.scale]).toEqual([[100], 2.55]);
    const each = timedPart(questions(3, 50), 20);
    expect([each.parts.map((labels) => labels.length), each.scale]).toEqual([[20], 7.5]);
  });
});
