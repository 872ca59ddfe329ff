import { createDecider, DecideError } from "umpire";
import type { Decider, DecideResponse, ManyResult } from "umpire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RowDecider } from "../../src/bulk/answer-row.ts";
import { decideMany } from "../../src/bulk/index.ts";
import { QUESTIONS, collected, stateOf, states } from "./rows.ts";
import { decideError } from "../support/rejection.ts";

let decider: Decider;
beforeAll(async () => {
  decider = await createDecider({ threads: 1 });
});
afterAll(() => decider.close());

/** The real decider, but calls about one state fail as often as is said. */
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

test("a lesson that cannot be learned is no row's fault", async () => {
  const own = createDecider({ threads: 1, lessons: [{ umpire_lesson: 1 } as never] });
  const error = await decideError(() => collected(own.decideMany(["a", "b"], { questions: QUESTIONS })));
  expect(error.code).toBe("invalid_request");
  await own.close();
});

test("a decider that takes one call at a time is enough", async () => {
  const own = await createDecider({ threads: 1, maxPending: 1 });
  const results = await collected(own.decideMany(states(6), { questions: QUESTIONS }));
  expect(results).toEqual(await collected(decider.decideMany(states(6), { questions: QUESTIONS })));
  await own.close();
});
