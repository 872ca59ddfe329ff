import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../../src/library/decide/request.ts";
import { readLesson } from "../../../src/library/lessons/read-lesson.ts";
import { teach } from "../../../src/library/lessons/teach.ts";
import type { Lesson } from "../../../src/library/lessons/lesson.ts";
import { decideError } from "../../support/rejection.ts";
import { numberFor } from "../../support/fake-engine.ts";
import { COLOURS, coloured, syntheticReader } from "./synthetic-reader.ts";

const READER = syntheticReader();

async function answerOf(lesson: Lesson, state: string, question: unknown = COLOURS): Promise<Record<string, number>> {
  const { taught } = await readLesson(JSON.parse(JSON.stringify(lesson)));
  const parsed = parseQuestion(question);
  const { probabilities, features } = await READER.read({ model: undefined, state, questions: [parsed] });
  const p = taught.toProbabilities(parsed, probabilities, features);
  return Object.fromEntries(parsed.criteria.map(({ key }, k) => [key, p[k] ?? NaN]));
}

const withoutSuspicious = ({ report, ...lesson }: Lesson): unknown => ({ ...lesson, report: { ...report, suspicious: [] } });

describe("teach", () => {
  it("learns what features tell, and says how much better it answers", async () => {
    const lesson = await teach(COLOURS, coloured(60), READER, {});
    const { before, after, learned, confusion } = lesson.report;
    expect(learned).toBe("features");
    expect(before.accuracy.value).toBeLessThan(0.6);
    expect(after.accuracy.value).toBeGreaterThan(0.95);
    expect(after.logLoss.value).toBeLessThan(before.logLoss.value);
    expect(confusion.flat().reduce((a, b) => a + b)).toBe(60);
    expect(lesson.examples).toEqual({ answered: 60, unanswered: 0, byAnswer: { red: 20, green: 20, blue: 20 } });
    expect(lesson.model).toEqual({ id: "umpire-test", seal: "5".repeat(64) });
    const answer = await answerOf(lesson, "never seen, but green");
    expect(answer["green"]).toBeGreaterThan(0.8);
    for (const figures of [before, after])
      for (const { value, low, high } of Object.values(figures) as Lesson["report"]["before"]["accuracy"][]) {
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThanOrEqual(value);
      }
  });

  it("learns nothing where answers have nothing to do with texts, and answers nearly as before", async () => {
    const keys = ["red", "green", "blue"];
    const examples = Array.from({ length: 40 }, (_, i) => {
      // As likely as the model alone says, so that there is nothing to learn.
      const state = `thing ${i}`;
      const weights = keys.map((key) => Math.exp(numberFor(`${state} ${key}`, 1)));
      const drawn = numberFor(state, 77) * weights.reduce((a, b) => a + b);
      const answer = drawn < (weights[0] ?? 0) ? "red" : drawn < (weights[0] ?? 0) + (weights[1] ?? 0) ? "green" : "blue";
      return { state, answer };
    });
    const lesson = await teach(COLOURS, examples, READER, {});
    expect(lesson.report.learned).toBe("nothing");
  });

  it("makes the same lesson of the same examples in any order, bit for bit", async () => {
    const examples = [...coloured(24), { state: "note 1: it is green", answer: "red" }, { state: "note 1: it is green", answer: "green" }];
    const expected = withoutSuspicious(await teach(COLOURS, examples, READER, {}));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(examples, { minLength: examples.length }), async (shuffled) => {
        expect(withoutSuspicious(await teach(COLOURS, shuffled, READER, {}))).toEqual(expected);
      }),
      { numRuns: 5 },
    );
  });

  it("answers the same, bit for bit, in whatever order a question's options are taught and asked", async () => {
    const other = { ...COLOURS, criteria: { blue: null, red: null, green: null } };
    const [taught, taughtOther] = [await teach(COLOURS, coloured(30), READER, {}), await teach(other, coloured(30), READER, {})];
    const answers = [
      await answerOf(taught, "something red"),
      await answerOf(taught, "something red", other),
      await answerOf(taughtOther, "something red"),
    ];
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it("gives probabilities that are finite and sum to 1, for extreme readings, too", async () => {
    const lesson = await teach(COLOURS, coloured(30), READER, {});
    const { taught } = await readLesson(lesson);
    const question = parseQuestion(COLOURS);
    const p = fc.constantFrom(0, 1e-300, 1e-12, 0.3, 1);
    const x = fc.constantFrom(-1e30, -1e6, 0, 1, 1e6, 1e30);
    fc.assert(
      fc.property(fc.tuple(p, p, p), fc.array(x, { minLength: 6, maxLength: 6 }), (untaught, features) => {
        const answer = taught.toProbabilities(question, Float64Array.from(untaught), Float32Array.from(features));
        expect(answer.every((value) => value >= 0 && value <= 1)).toBe(true);
        expect(answer.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
      }),
    );
  });

  it("learns from readings that are all alike, certain or impossible", async () => {
    const extreme = {
      ...READER,
      read: async ({ state }: { state: string }) => {
        const base = await READER.read({ model: undefined, state, questions: [parseQuestion(COLOURS)] });
        return {
          ...base,
          probabilities: Float64Array.of(1, 0, 0),
          features: Float32Array.from({ length: 6 }, () => 1e6 * Number(state.includes("red"))),
        };
      },
    };
    const lesson = await teach(COLOURS, coloured(30), extreme, {});
    expect(Number.isFinite(lesson.report.after.logLoss.value)).toBe(true);
    await expect(readLesson(lesson)).resolves.toBeDefined();
  });

  it("learns biases alone where a model has no features", async () => {
    const examples = coloured(60).filter(({ answer }, i) => answer === "red" || i % 10 === 0);
    const lesson = await teach(COLOURS, examples, syntheticReader({ features: 0 }), {});
    expect(lesson.head.features).toBeUndefined();
    expect(lesson.report.learned).not.toBe("features");
    const { taught } = await readLesson(lesson);
    expect(taught.usesFeatures).toBe(false);
    const p = taught.toProbabilities(parseQuestion(COLOURS), Float64Array.of(0.4, 0.3, 0.3), undefined);
    expect(p[0]).toBeGreaterThan(0.4);
  });

  it("answers yes/no questions and scores, by booleans and level indexes", async () => {
    const noul = { type: "noul", instructions: "Is it red?" } as const;
    const yes = await teach(
      noul,
      coloured(40).map(({ state, answer }) => ({ state, answer: answer === "red" })),
      READER,
      {},
    );
    expect(yes.examples.byAnswer).toEqual({ true: 14, false: 26 });
    expect((await answerOf(yes, "red again", noul))["true"]).toBeGreaterThan(0.7);
    const score = { type: "score", instructions: "How warm?", criteria: ["blue", "green", "red"] } as const;
    const levels = await teach(
      score,
      coloured(40).map(({ state, answer }) => ({ state, answer: score.criteria.indexOf(answer) })),
      READER,
      {},
    );
    expect(levels.examples.byAnswer).toEqual({ 0: 13, 1: 13, 2: 14 });
    expect((await answerOf(levels, "blue again", score))["0"]).toBeGreaterThan(0.7);
  });

  it("takes keys that are names of prototypes as any others", async () => {
    const criteria = Object.fromEntries([
      ["__proto__", null],
      ["constructor", null],
      ["1", null],
    ]);
    const question = { type: "choice", instructions: "Which?", criteria };
    const keys = ["__proto__", "constructor", "1"];
    const examples = coloured(30).map(({ state }, i) => ({ state, answer: keys[i % 3] }));
    const lesson = JSON.parse(JSON.stringify(await teach(question, examples, READER, {}))) as Lesson;
    expect(Object.entries(lesson.examples.byAnswer).toSorted()).toEqual([
      ["1", 10],
      ["__proto__", 10],
      ["constructor", 10],
    ]);
    const { taught } = await readLesson(lesson);
    const parsed = parseQuestion(question);
    const { probabilities, features } = await READER.read({ model: undefined, state: "more red", questions: [parsed] });
    const p = taught.toProbabilities(parsed, probabilities, features);
    expect(p[parsed.criteria.findIndex(({ key }) => key === "__proto__")]).toBeGreaterThan(0.6);
  });

  it("keeps none of the examples' text", async () => {
    const examples = coloured(30).map(({ state, answer }, i) => ({ state: { said: `${state} SECRET`, number: i }, answer }));
    expect(JSON.stringify(await teach(COLOURS, examples, READER, {}))).not.toContain("SECRET");
  });
});

describe("what examples are like", () => {
  it("of one answer only: nothing is learned, and the lesson says so", async () => {
    const lesson = await teach(
      COLOURS,
      coloured(60).filter(({ answer }) => answer === "red"),
      READER,
      {},
    );
    expect(lesson.report.learned).toBe("nothing");
    expect(lesson.risk).toEqual([]);
    expect(lesson.report.notes[0]).toMatch(/^All examples have the same answer/);
    expect(lesson.report.automated.every(({ share, reason }) => share === 0 && reason !== undefined)).toBe(true);
    const before = await READER.read({ model: undefined, state: "new", questions: [parseQuestion(COLOURS)] });
    expect(Object.values(await answerOf(lesson, "new"))).toEqual([...before.probabilities]);
  });

  it("of one text only: nothing is learned, and the lesson says so", async () => {
    const examples = Array.from({ length: 9 }, (_, i) => ({ state: "the same", answer: i % 2 === 0 ? "red" : "blue" }));
    const { report } = await teach(COLOURS, examples, READER, {});
    expect(report.learned).toBe("nothing");
    expect(report.notes.join(" ")).toMatch(/same text.*1 text has different answers/);
  });

  it("repeated and contradictory ones are all learned from, and noted", async () => {
    const examples = [...coloured(30), ...coloured(4), { state: "note 0: it is red", answer: "blue" }];
    const { report, examples: counts } = await teach(COLOURS, examples, READER, {});
    expect(counts.answered).toBe(35);
    expect(report.notes).toEqual([
      "5 of 35 examples repeat the text of another one; they add little.",
      "1 text has different answers in different examples; all of them were learned from.",
    ]);
  });

  it("of a text share a fold: what is only repeated is not taken for learned", async () => {
    // Answers by chance, each text ten times: who held out one of ten would see them all answered.
    const examples = Array.from({ length: 80 }, (_, i) => ({ state: `text ${i % 8}`, answer: ["red", "green", "blue"][(i % 8) % 3] }));
    const { report } = await teach(COLOURS, examples, READER, {});
    expect(report.after.accuracy.value).toBeLessThan(0.7);
  });

  it("more than 8,000 are learned from in part, and the lesson says so", async () => {
    const { examples, report } = await teach(COLOURS, coloured(8010), syntheticReader({ features: 3 }), {});
    expect(examples.answered).toBe(8010);
    expect(examples.byAnswer).toEqual({ red: 2670, green: 2670, blue: 2670 });
    expect(report.confusion.flat().reduce((a, b) => a + b)).toBe(8000);
    expect(report.notes).toEqual([expect.stringMatching(/^8000 of 8010 examples were learned from/)]);
  });

  it("too few of an answer are noted by the answer's name", async () => {
    const examples = coloured(30).filter(({ answer }, i) => answer === "red" || (answer === "green" && i < 6));
    const { report } = await teach(COLOURS, examples, READER, {});
    expect(report.notes).toEqual([
      "No example has blue as its answer: nothing says when it is right.",
      "Fewer than 5 examples have green as their answer: more of them would help most.",
    ]);
  });

  it("whose answer is wrong are found", async () => {
    const examples = coloured(90).map((example, i) => (i === 40 ? { ...example, answer: "red" as const } : example));
    const { report } = await teach(COLOURS, examples, READER, {});
    expect(report.suspicious[0]).toMatchObject({ index: 40, answer: "green" });
    expect(report.suspicious.length).toBeLessThan(4);
  });

  it("without an answer are counted, and do not count as answered", async () => {
    const unanswered = Array.from({ length: 12 }, (_, i) => ({ state: `unknown ${i}`, answer: i % 2 === 0 ? null : undefined }));
    const { examples, report } = await teach(COLOURS, [...coloured(9), ...unanswered], READER, {});
    expect(report.notes.at(-1)).toBe("12 examples have no answer; they are counted, and nothing was learned from them.");
    expect(examples).toMatchObject({ answered: 9, unanswered: 12 });
    const reader = syntheticReader({
      onRead: (state) => {
        expect(state).not.toContain("unknown");
      },
    });
    const error = await decideError(() => teach(COLOURS, [...coloured(7), ...unanswered], reader, {}));
    expect(error.message).toMatch(/at least 8 with an answer, but hold 7/);
  });
});

describe("what can be acted on", () => {
  it("is a share of the examples for each error rate, or the reason why not", async () => {
    const { report, risk } = await teach(COLOURS, coloured(90), READER, {});
    expect(report.automated.map(({ maxErrorRate }) => maxErrorRate)).toEqual([0.01, 0.02, 0.05, 0.1, 0.2]);
    expect(report.automated[0]).toMatchObject({
      share: 0,
      reason: expect.stringContaining("takes 230 or more, and there are 90") as string,
    });
    expect(report.automated.at(-1)?.share).toBeGreaterThan(0.9);
    expect(risk.length).toBeLessThanOrEqual(64);
    expect(risk.at(-1)?.answers).toBe(90);
  });

  it("accuracy rises with the probability", async () => {
    const { taught } = await readLesson(await teach(COLOURS, coloured(30), READER, {}));
    const at = [0.34, 0.5, 0.8, 0.99].map((p) => taught.accuracyOf(p));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at.every((value) => value > 0 && value < 1)).toBe(true);
  });
});
