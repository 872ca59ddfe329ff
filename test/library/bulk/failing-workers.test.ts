import { describe, expect, test } from "vitest";
import type { RowDecider } from "../../../src/library/bulk/answer-row.ts";
import { decideMany } from "../../../src/library/bulk/decide-many.ts";
import { DecideError } from "../../../src/errors.ts";
import type { DecideResponse, ManyResult } from "../../../src/public.ts";
import { decideError } from "../../support/rejection.ts";
import { QUESTIONS, collected, quickDecider, stateOf, states } from "./rows.ts";

const decider = quickDecider();

/** A decider whose calls about one state fail as often as is said. */
function failing(state: string, error: DecideError, times: number): RowDecider {
  let left = times;
  return {
    decide: async (request, options): Promise<DecideResponse> => {
      if (request.state === state && left-- > 0) throw error;
      return decider.decide(request, options);
    },
    read: (text, options) => decider.read(text, options),
  };
}

const lost = new DecideError("worker_lost", "The worker died.");
const full = new DecideError("overloaded", "10000 calls wait.");
const broken = new DecideError("backend_failed", "The runtime failed.");

describe.each([true, false])("ordered: %s", (ordered) => {
  const options = { questions: QUESTIONS, ordered };

  test.each([
    ["whose worker died is asked about once more", lost, 1],
    ["that finds no place waits for one", full, 3],
  ])("a row %s", async (_, error, times) => {
    const results = await collected(decideMany(failing(stateOf(3), error, times), states(8), options, 1));
    const expected = await collected(decider.decideMany(states(8), options));
    expect(results.sort((a, b) => a.index - b.index)).toEqual(expected);
  });

  test.each([
    ["over which two workers died", lost, 2],
    ["that the runtime could not answer", broken, 1],
  ])("a row %s ends it, after the results before it", async (_, error, times) => {
    const results: ManyResult[] = [];
    const thrown = await decideError(async () => {
      for await (const result of decideMany(failing(stateOf(3), error, times), states(100), options, 1)) results.push(result);
    });
    expect(thrown).toBe(error);
    const indexes = results.map(({ index }) => index).sort((a, b) => a - b);
    expect(indexes).not.toContain(3);
    if (ordered) expect(indexes).toEqual([0, 1, 2]);
    expect(indexes.length).toBeLessThan(20);
  });
});

test("no row is begun any more once one has failed, however long those before it take", async () => {
  let letGo = (): void => undefined;
  const slow = new Promise<void>((resolve) => (letGo = resolve));
  const begun: unknown[] = [];
  const watched: RowDecider = {
    decide: async (request, options) => {
      begun.push(request.state);
      if (request.state === stateOf(3)) throw broken;
      if (request.state === stateOf(0)) await slow;
      return decider.decide(request, options);
    },
    read: (text, options) => decider.read(text, options),
  };
  const results: ManyResult[] = [];
  const ended = decideError(async () => {
    for await (const result of decideMany(watched, states(100), { questions: QUESTIONS, concurrency: 2 }, 1)) results.push(result);
  });
  await expect.poll(() => begun).toContain(stateOf(3));
  for (let round = 0; round < 30; round++) await new Promise((resolve) => setTimeout(resolve));
  letGo();
  expect(await ended).toBe(broken);
  expect(begun).toEqual([0, 1, 2, 3].map(stateOf));
  expect(results.map(({ index }) => index)).toEqual([0, 1, 2]);
});

test("a lesson that cannot be learned is no row's fault", async () => {
  const own = quickDecider({ lessons: [{ umpire_lesson: 1 } as never] });
  const error = await decideError(() => collected(own.decideMany(["a", "b"], { questions: QUESTIONS })));
  expect(error.code).toBe("invalid_request");
});

test("a decider that takes one call at a time is enough", async () => {
  const own = quickDecider({ maxPending: 1 });
  const results = await collected(own.decideMany(states(6), { questions: QUESTIONS }));
  expect(results).toEqual(await collected(decider.decideMany(states(6), { questions: QUESTIONS })));
});
