import type { DecideResponse, ExampleReading } from "umpire";
import { describe, expect, it } from "vitest";
import { sharedDecider as decider } from "../../support/shared-decider.ts";

/** Names that say nothing: only examples can tell what they mean. */
const QUESTION = { type: "choice", instructions: "Which team should answer?", criteria: { kestrel: null, heron: null } } as const;

const KESTREL = [
  "I was charged twice this month.",
  "The invoice is wrong.",
  "Please refund my card.",
  "My payment failed.",
  "Why is the price higher than last year?",
  "The bill shows an extra fee.",
  "I want my money back.",
  "Your receipt has no tax on it.",
  "The discount is missing from my order.",
  "My bank says that the transfer was refused.",
];
const HERON = [
  "The app crashes at start.",
  "The page does not load.",
  "Login shows an error.",
  "The button does nothing.",
  "It freezes on my phone.",
  "The file does not upload.",
  "The screen stays black.",
  "Sync is broken since the update.",
  "Search returns no results at all.",
  "The installer stops with a message.",
];
const EXAMPLES = [
  ...KESTREL.map((state) => ({ state, answer: "kestrel" as const })),
  ...HERON.map((state) => ({ state, answer: "heron" as const })),
];
const NEW = { kestrel: "The amount on my invoice is too high.", heron: "It crashes whenever I open the settings." };

const throughJson = (reading: ExampleReading): ExampleReading => JSON.parse(JSON.stringify(reading)) as ExampleReading;

describe("a lesson of a real model", () => {
  it("answers what only examples can tell, until it is forgotten", async () => {
    const ask = (state: string): Promise<DecideResponse<{ team: typeof QUESTION }>> =>
      decider.decide({ state, questions: { team: QUESTION } });
    const untaught = await ask(NEW.kestrel);
    const lesson = await decider.teach(QUESTION, EXAMPLES);
    expect(lesson.report.after.accuracy.value).toBeGreaterThan(lesson.report.before.accuracy.value);
    expect(JSON.stringify(lesson)).not.toMatch(/invoice|crash/);
    await decider.learn(JSON.parse(JSON.stringify(lesson)) as typeof lesson);
    for (const [team, state] of Object.entries(NEW)) {
      const { answers } = await ask(state);
      expect(answers.team).toMatchObject({ choice: team, x_lesson: lesson.id });
    }
    expect(decider.forget(lesson.id)).toBe(true);
    expect(await ask(NEW.kestrel)).toEqual(untaught);
  });

  it("is the same from readings that were made before, and kept as JSON, in which the text is not", async () => {
    const examples = await Promise.all(
      EXAMPLES.map(async ({ state, answer }) => ({ reading: throughJson(await decider.readExample(QUESTION, state)), answer })),
    );
    expect(JSON.stringify(examples)).not.toMatch(/invoice|crash/);
    const [again, lesson] = [await decider.teach(QUESTION, examples), await decider.teach(QUESTION, EXAMPLES)];
    expect(again).toEqual(lesson);
    const { criteria, ...others } = QUESTION;
    const turned = { ...others, criteria: Object.fromEntries(Object.entries(criteria).toReversed()) };
    await expect(decider.teach(turned, examples)).rejects.toThrow(
      "The examples are not valid: the reading of examples[0] is of another question: type, instructions and criteria must be the same, in the same order. Read its text again.",
    );
  });
});
