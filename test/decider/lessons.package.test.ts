import { createDecider } from "umpire";
import type { Answer, Decider, Example, Lesson } from "umpire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sealOf } from "../../src/lessons/seal-lesson.ts";
import { LATE, TEAM, lateLesson, shorterTeamLesson, teamLesson } from "../support/lessons.ts";
import { PackCopy } from "../support/pack-copy.ts";
import { decideError, rejection } from "../support/rejection.ts";

const STATE = "My invoice is wrong again.";

let decider: Decider;
let team: Lesson;
let shorterTeam: Lesson;
let late: Lesson;

beforeAll(async () => {
  decider = await createDecider({ threads: 1 });
  [team, shorterTeam, late] = [await teamLesson(decider), await shorterTeamLesson(decider), await lateLesson(decider)];
});
afterAll(() => decider.close());

async function answerOf(asked: Decider, question: object = TEAM): Promise<Answer> {
  const { answers } = await asked.decide({ state: STATE, questions: { q: question as typeof TEAM } });
  return answers.q;
}

/** The lesson as it would have been taught with other fields. */
async function resealed(lesson: Lesson, change: object): Promise<Lesson> {
  const changed = { ...lesson, ...change };
  const sha256 = await sealOf(changed);
  return { ...changed, id: `lesson-${sha256.slice(0, 16)}`, sha256 };
}

/** An example, and then no other one, however long one waits. */
async function* waitingExamples(): AsyncGenerator<Example<typeof TEAM>> {
  yield { state: STATE, answer: "north" };
  await new Promise(() => undefined);
}

describe("the lessons of a decider", () => {
  it("are those that it learned, in this order; a newer one for the same question takes the place of the older", async () => {
    await using own = createDecider({ threads: 1 });
    const ids = (): string[] => own.lessons().map(({ id }) => id);
    await own.learn(team);
    await own.learn(late);
    expect(ids()).toEqual([team.id, late.id]);
    await own.learn(shorterTeam);
    expect(ids()).toEqual([late.id, shorterTeam.id]);
    expect((await answerOf(own)).x_lesson).toBe(shorterTeam.id);
    expect(own.forget(team.id)).toBe(false);
    expect([own.forget(late.id), own.forget(late.id)]).toEqual([true, false]);
    expect(own.lessons()).toEqual([{ id: shorterTeam.id, model: team.model.id, question: TEAM }]);
  });

  it("are learned in the order of the calls, however long each takes", async () => {
    await using own = createDecider({ threads: 1 });
    const long = await resealed(team, { padding: "x".repeat(20_000_000) });
    await Promise.all([own.learn(long), own.learn(shorterTeam)]);
    expect(own.lessons().map(({ id }) => id)).toEqual([shorterTeam.id]);
  });

  it("answer a question whatever the order of its options, and no other one", async () => {
    await using own = createDecider({ threads: 1, lessons: [team] });
    const { north, south } = TEAM.criteria;
    expect(await answerOf(own, { ...TEAM, criteria: { south, north } })).toEqual(await answerOf(own));
    expect((await answerOf(own)).x_lesson).toBe(team.id);
    for (const other of [LATE, { ...TEAM, instructions: "Who?" }, { ...TEAM, criteria: { north, south: "the south" } }])
      expect(await answerOf(own, other)).toEqual(await answerOf(decider, other));
  });

  it("are no more of a call than what they were when it began", async () => {
    await using own = createDecider({ threads: 1, lessons: [team] });
    await own.info();
    const answer = answerOf(own);
    await expect.poll(() => own.stats().pendingCalls).toBe(1);
    await new Promise(setImmediate);
    own.forget(team.id);
    expect((await answer).x_lesson).toBe(team.id);
    expect((await answerOf(own)).x_lesson).toBeUndefined();
  });

  it("of options are there once it is loaded", async () => {
    await using own = await createDecider({ threads: 1, lessons: [team, late] });
    expect(own.lessons().map(({ id }) => id)).toEqual([team.id, late.id]);
  });

  it("of options are older than any that it learns", async () => {
    await using own = createDecider({ threads: 1, lessons: [team] });
    await own.learn(shorterTeam);
    expect((await answerOf(own)).x_lesson).toBe(shorterTeam.id);
  });

  it("do not change what is wrong with a question", async () => {
    const question = {
      type: "choice",
      instructions: "You are a clerk.",
      criteria: { north: "asks for money", south: "asks for money" },
    } as const;
    const examples = ["a", "b", "c", "d"].flatMap((word) => [
      { state: `Card ${word} was charged twice.`, answer: "north" as const },
      { state: `The app crashes at ${word}.`, answer: "south" as const },
    ]);
    await using own = createDecider({ threads: 1, lessons: [await decider.teach(question, examples)] });
    expect(await own.check(question)).toEqual(await decider.check(question));
  });
});

describe("a lesson that cannot be learned", () => {
  it("is of a model that is not here", async () => {
    const other = await resealed(team, { model: { ...team.model, id: "umpire-of-tomorrow" } });
    const { code, message } = await decideError(() => decider.learn(other));
    expect(code).toBe("invalid_request");
    expect(message).toMatch(/^The lesson is of another model\. There is no model "umpire-of-tomorrow"\./);
  });

  it("is of another release of the model", async () => {
    const other = await resealed(team, { model: { ...team.model, seal: "0".repeat(64) } });
    expect((await decideError(() => decider.learn(other))).message).toMatch(/another release of the model/);
  });

  it("does not keep the next one from being learned", async () => {
    await using own = createDecider({ threads: 1 });
    const damaged = own.learn({ ...team, id: "lesson-0" });
    const whole = own.learn(late);
    expect((await decideError(() => damaged)).code).toBe("invalid_request");
    await whole;
    expect(own.lessons().map(({ id }) => id)).toEqual([late.id]);
  });

  it("fails every call, if it is one of the options", async () => {
    await using own = createDecider({ threads: 1, lessons: [team, { ...late, id: "lesson-0" }] });
    for (const call of [() => answerOf(own), () => own.info(), () => answerOf(own), () => own.learn(shorterTeam)])
      expect((await decideError(call)).message).toMatch(/^The lesson is not valid: it was changed/);
    // Those before it were learned once.
    expect(own.forget(team.id)).toBe(true);
    await decideError(() => own.info());
    expect(own.lessons()).toEqual([]);
  });
});

describe("a pack of the caller's own", () => {
  it("learns what it was taught, also if it is a copy of the package's", async () => {
    const copy = await PackCopy.make();
    try {
      await using own = createDecider({ threads: 1, model: copy.url });
      const lesson = await teamLesson(own);
      await own.learn(lesson);
      expect((await answerOf(own)).x_lesson).toBe(lesson.id);
      expect(own.stats().workersStarted).toBe(1);
    } finally {
      await copy.remove();
    }
  });

  it("with an id of its own answers by lessons of the options, and is tried again if it was not there", async () => {
    const copy = await PackCopy.make();
    try {
      await copy.lie((manifest) => (manifest["id"] = "my-own"));
      await copy.sealManifest();
      await using teacher = createDecider({ threads: 1, model: copy.url });
      const lesson = await teamLesson(teacher);
      expect(lesson.model.id).toBe("my-own");
      const weights = await copy.read("weights.bin");
      await copy.delete("weights.bin");
      await using own = createDecider({ threads: 1, model: copy.url, lessons: [lesson] });
      expect((await decideError(() => answerOf(own))).code).toBe("model_invalid");
      await copy.write("weights.bin", weights);
      expect((await answerOf(own)).x_lesson).toBe(lesson.id);
    } finally {
      await copy.remove();
    }
  });
});

type Call = (asked: Decider, signal?: AbortSignal) => Promise<unknown>;
const CALLS: readonly (readonly [string, Call])[] = [
  ["teach", (asked, signal) => asked.teach(TEAM, waitingExamples(), { signal })],
  ["explain", (asked, signal) => asked.explain({ state: STATE, questions: { q: TEAM } }, "q", { signal })],
  ["check", (asked, signal) => asked.check(TEAM, { signal })],
];

describe.each(CALLS)("%s", (_, call) => {
  it("counts as one call, and is refused where there are too many", async () => {
    const controller = new AbortController();
    await using own = createDecider({ threads: 1, maxPending: 1 });
    const ended = rejection(() => call(own, controller.signal));
    expect(own.stats().pendingCalls).toBe(1);
    expect((await decideError(() => call(own))).code).toBe("overloaded");
    expect((await decideError(() => answerOf(own))).code).toBe("overloaded");
    controller.abort(new Error("enough"));
    expect(await ended).toBe(controller.signal.reason);
    expect(own.stats().pendingCalls).toBe(0);
    expect((await answerOf(own)).type).toBe("choice");
  });

  it("ends with the decider's signal", async () => {
    const controller = new AbortController();
    await using own = createDecider({ threads: 1, signal: controller.signal });
    const ended = rejection(() => call(own));
    controller.abort(new Error("enough"));
    expect(await ended).toBe(controller.signal.reason);
  });

  it("is refused once the decider is closed", async () => {
    const own = createDecider({ threads: 1 });
    await own.close();
    expect((await decideError(() => call(own))).code).toBe("closed");
  });

  it("refuses what is no signal", async () => {
    const { code, message } = await decideError(() => call(decider, "soon" as never));
    expect(code).toBe("invalid_request");
    expect(message).toMatch(/signal must be an AbortSignal/);
  });
});

describe("an abort", () => {
  it("by the decider's signal ends teaching that waits for an example", async () => {
    const controller = new AbortController();
    await using own = createDecider({ threads: 1, signal: controller.signal });
    // Once the first has been read.
    const onProgress = (): void => {
      controller.abort(new Error("enough"));
    };
    expect(await rejection(() => own.teach(TEAM, waitingExamples(), { onProgress }))).toBe(controller.signal.reason);
  });

  it("ends a decision that waits for the lessons of the options, and these are learned all the same", async () => {
    await using own = createDecider({ threads: 1, lessons: [team] });
    const controller = new AbortController();
    const waiting = rejection(() => own.decide({ state: STATE, questions: { q: TEAM } }, { signal: controller.signal }));
    await new Promise(setImmediate);
    controller.abort(new Error("enough"));
    expect(await waiting).toBe(controller.signal.reason);
    // The model is still being loaded.
    expect(own.lessons()).toEqual([]);
    expect((await answerOf(own)).x_lesson).toBe(team.id);
  });
});

it("a closed decider learns nothing", async () => {
  const own = createDecider({ threads: 1 });
  await own.close();
  expect((await decideError(() => own.learn(team))).code).toBe("closed");
});
