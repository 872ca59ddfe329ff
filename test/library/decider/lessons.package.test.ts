import { createDecider } from "umpire";
import type { Answer, Decider } from "umpire";
import { describe, expect, it } from "vitest";
import { TEAM, shorterTeamLesson, teamLesson } from "../../support/lessons.ts";
import { PackCopy } from "../../support/pack-copy.ts";
import { decideError } from "../../support/rejection.ts";
import { sharedDecider } from "../../support/shared-decider.ts";

const STATE = "My invoice is wrong again.";

async function answerOf(asked: Decider): Promise<Answer> {
  const { answers } = await asked.decide({ state: STATE, questions: { q: TEAM } });
  return answers.q;
}

describe("a pack of the caller's own", () => {
  it("learns what it was taught, also if it is a copy of the package's", async () => {
    const copy = await PackCopy.make();
    await using own = createDecider({ threads: 1, model: copy.url });
    const lesson = await teamLesson(own);
    await own.learn(lesson);
    expect((await answerOf(own)).x_lesson).toBe(lesson.id);
    expect(own.stats().workersStarted).toBe(1);
  });

  it("with an id of its own answers by lessons of the options, and is tried again if it was not there", async () => {
    const copy = await PackCopy.make();
    await copy.lie((manifest) => (manifest["id"] = "my-own"));
    await copy.sealManifest();
    await using teacher = createDecider({ threads: 1, model: copy.url });
    const lesson = await shorterTeamLesson(teacher);
    expect(lesson.model.id).toBe("my-own");
    const weights = await copy.read("weights.bin");
    await copy.delete("weights.bin");
    await using own = createDecider({ threads: 1, model: copy.url, lessons: [lesson] });
    expect((await decideError(() => answerOf(own))).code).toBe("model_invalid");
    await copy.write("weights.bin", weights);
    expect((await answerOf(own)).x_lesson).toBe(lesson.id);
  });
});

it("a lesson does not change what is wrong with a question", async () => {
  const question = {
    type: "choice",
    instructions: "You are a clerk.",
    criteria: { north: "asks for money", south: "asks for money" },
  } as const;
  const examples = ["a", "b", "c", "d"].flatMap((word) => [
    { state: `Card ${word} was charged twice.`, answer: "north" as const },
    { state: `The app crashes at ${word}.`, answer: "south" as const },
  ]);
  const untaught = await sharedDecider.check(question);
  expect(untaught.warnings.length).toBeGreaterThan(0);
  const lesson = await sharedDecider.teach(question, examples);
  await sharedDecider.learn(lesson);
  expect(await sharedDecider.check(question)).toEqual(untaught);
  sharedDecider.forget(lesson.id);
});
