import { describe, expect, it } from "vitest";
import { deciderOn } from "../../../src/library/decider/create-decider.ts";
import type { Engine } from "../../../src/library/engine/engine.ts";
import { sealOf } from "../../../src/library/lessons/lesson-format.ts";
import type { Answer, Decider, DeciderOptions, Example, Lesson } from "../../../src/public.ts";
import { fakeDecider, platformOfOne } from "../../support/fake-decider.ts";
import { fakeEngine, scoresByText } from "../../support/fake-engine.ts";
import { LATE, TEAM, lateLesson, shorterTeamLesson, teamLesson } from "../../support/lessons.ts";
import { decideError, rejection } from "../../support/rejection.ts";

const STATE = "My invoice is wrong again.";

const quickEngine = (): Engine => fakeEngine({ score: (batch) => Promise.resolve(scoresByText(batch)) });
const deciderWith = (options?: DeciderOptions): Required<Decider> => fakeDecider(quickEngine(), options);

const decider = deciderWith();
const [team, shorterTeam, late] = [await teamLesson(decider), await shorterTeamLesson(decider), await lateLesson(decider)];

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
    await using own = deciderWith();
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
    await using own = deciderWith();
    const long = await resealed(team, { padding: "x".repeat(20_000_000) });
    await Promise.all([own.learn(long), own.learn(shorterTeam)]);
    expect(own.lessons().map(({ id }) => id)).toEqual([shorterTeam.id]);
  });

  it("answer a question whatever the order of its options, and no other one", async () => {
    await using own = deciderWith({ lessons: [team] });
    const { north, south } = TEAM.criteria;
    expect(await answerOf(own, { ...TEAM, criteria: { south, north } })).toEqual(await answerOf(own));
    expect((await answerOf(own)).x_lesson).toBe(team.id);
    for (const other of [LATE, { ...TEAM, instructions: "Who?" }, { ...TEAM, criteria: { north, south: "the south" } }])
      expect(await answerOf(own, other)).toEqual(await answerOf(decider, other));
  });

  it("are no more of a call than what they were when it began", async () => {
    const engine = fakeEngine();
    await using own = fakeDecider(engine, { lessons: [team] });
    const [answer, next] = [answerOf(own), answerOf(own)];
    await expect.poll(() => engine.calls).toHaveLength(2);
    own.forget(team.id);
    const later = answerOf(own);
    await expect.poll(() => engine.calls).toHaveLength(3);
    for (const call of engine.calls) call.answer(scoresByText(call.batch));
    for (const one of [answer, next]) expect((await one).x_lesson).toBe(team.id);
    expect((await later).x_lesson).toBeUndefined();
  });

  it("hide nothing from check(), which asks what the model alone says of a question", async () => {
    const asked: boolean[] = [];
    const engine = fakeEngine({
      info: { features: 2 },
      score: (batch) => {
        asked.push(...batch.questions.map(({ withFeatures }) => withFeatures === true));
        const scores = scoresByText(batch);
        const features = batch.state.includes("north") ? Float32Array.of(1, 0) : Float32Array.of(0, 1);
        return Promise.resolve({ ...scores, questions: scores.questions.map((question) => ({ ...question, features })) });
      },
    });
    await using own = fakeDecider(engine);
    const examples = Array.from({ length: 40 }, (_, i) => ({
      state: `${i} goes ${i % 2 === 0 ? "north" : "south"}`,
      answer: i % 2 === 0 ? "north" : "south",
    }));
    await own.learn(await own.teach(TEAM, examples));
    await answerOf(own);
    expect(asked.at(-1)).toBe(true);
    asked.length = 0;
    await own.check(TEAM);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked).not.toContain(true);
  });

  it("of options are there once it is loaded", async () => {
    await using own = deciderWith({ lessons: [team, late] });
    await own.load();
    expect(own.lessons().map(({ id }) => id)).toEqual([team.id, late.id]);
  });

  it("of options are older than any that it learns", async () => {
    await using own = deciderWith({ lessons: [team] });
    await own.learn(shorterTeam);
    expect((await answerOf(own)).x_lesson).toBe(shorterTeam.id);
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
    const other = await resealed(team, { model: { ...team.model, seal: "1".repeat(64) } });
    expect((await decideError(() => decider.learn(other))).message).toMatch(/another release of the model/);
  });

  it("does not keep the next one from being learned", async () => {
    await using own = deciderWith();
    const damaged = own.learn({ ...team, id: "lesson-0" });
    const whole = own.learn(late);
    expect((await decideError(() => damaged)).code).toBe("invalid_request");
    await whole;
    expect(own.lessons().map(({ id }) => id)).toEqual([late.id]);
  });

  it("fails every call, if it is one of the options", async () => {
    await using own = deciderWith({ lessons: [team, { ...late, id: "lesson-0" }] });
    for (const call of [() => answerOf(own), () => own.info(), () => answerOf(own), () => own.learn(shorterTeam)])
      expect((await decideError(call)).message).toMatch(/^The lesson is not valid: it was changed/);
    // Those before it were learned once.
    expect(own.forget(team.id)).toBe(true);
    await decideError(() => own.info());
    expect(own.lessons()).toEqual([]);
  });
});

type Call = (asked: Decider, signal?: AbortSignal) => Promise<unknown>;
const CALLS: readonly (readonly [string, Call])[] = [
  ["teach", (asked, signal) => asked.teach(TEAM, waitingExamples(), { signal })],
  ["calibrate", (asked, signal) => asked.calibrate(TEAM, waitingExamples(), { signal })],
  ["explain", (asked, signal) => asked.explain({ state: STATE, questions: { q: TEAM } }, "q", { signal })],
  ["check", (asked, signal) => asked.check(TEAM, { signal })],
];

describe.each(CALLS)("%s", (_, call) => {
  it("counts as one call, and is refused where there are too many", async () => {
    const controller = new AbortController();
    const engine = fakeEngine();
    await using own = fakeDecider(engine, { maxPending: 1 });
    const ended = rejection(() => call(own, controller.signal));
    expect(own.stats().pendingCalls).toBe(1);
    expect((await decideError(() => call(own))).code).toBe("overloaded");
    expect((await decideError(() => answerOf(own))).code).toBe("overloaded");
    controller.abort(new Error("enough"));
    expect(await ended).toBe(controller.signal.reason);
    expect(own.stats().pendingCalls).toBe(0);
    engine.calls.length = 0;
    const answer = answerOf(own);
    await expect.poll(() => engine.calls).toHaveLength(1);
    for (const call of engine.calls) call.answer(scoresByText(call.batch));
    expect((await answer).type).toBe("choice");
  });

  it("ends with the decider's signal", async () => {
    const controller = new AbortController();
    await using own = deciderWith({ signal: controller.signal });
    const ended = rejection(() => call(own));
    controller.abort(new Error("enough"));
    expect(await ended).toBe(controller.signal.reason);
  });

  it("is refused once the decider is closed", async () => {
    const own = deciderWith();
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
    await using own = deciderWith({ signal: controller.signal });
    // Once the first has been read.
    const onProgress = (): void => {
      controller.abort(new Error("enough"));
    };
    expect(await rejection(() => own.teach(TEAM, waitingExamples(), { onProgress }))).toBe(controller.signal.reason);
  });

  it("ends a decision that waits for the lessons of the options, and these are learned all the same", async () => {
    const loads: ((engine: Engine) => void)[] = [];
    const platform = platformOfOne({ loadInline: () => new Promise((resolve) => loads.push(resolve)) });
    await using own = deciderOn(platform, { inline: true, lessons: [team] });
    const controller = new AbortController();
    const waiting = rejection(() => own.decide({ state: STATE, questions: { q: TEAM } }, { signal: controller.signal }));
    await expect.poll(() => loads).toHaveLength(1);
    controller.abort(new Error("enough"));
    expect(await waiting).toBe(controller.signal.reason);
    expect(own.lessons()).toEqual([]);
    loads[0]?.(quickEngine());
    expect((await answerOf(own)).x_lesson).toBe(team.id);
  });
});

it("a closed decider learns nothing", async () => {
  const own = deciderWith();
  await own.close();
  expect((await decideError(() => own.learn(team))).code).toBe("closed");
});
