import { describe, expect, test } from "vitest";
import { decideMany } from "../../../src/library/bulk/decide-many.ts";
import type { RowDecider } from "../../../src/library/bulk/answer-row.ts";
import type { DecideResponse } from "../../../src/public.ts";
import { ended, next } from "./loops.ts";
import { QUESTIONS, WatchedRows, collected, quickDecider, stateOf, states } from "./rows.ts";

const decider = quickDecider();

/** Calls of a decider: how many run, and at most ran, at one time. A row can be kept from being answered. */
class WatchedDecider implements RowDecider {
  underWay = 0;
  most = 0;
  #letGo: () => void = () => undefined;
  readonly #stuck: string | undefined;
  readonly #released = new Promise<void>((resolve) => {
    this.#letGo = resolve;
  });

  /** @param stuck the state whose call waits until it is let go */
  constructor(stuck?: string) {
    this.#stuck = stuck;
  }

  async decide(...[request, options]: Parameters<RowDecider["decide"]>): Promise<DecideResponse> {
    this.most = Math.max(this.most, ++this.underWay);
    try {
      const response = await decider.decide(request, options);
      if (request.state === this.#stuck) await this.#released;
      return response;
    } finally {
      this.underWay--;
    }
  }

  read(...[state, options]: Parameters<RowDecider["read"]>): ReturnType<RowDecider["read"]> {
    return decider.read(state, options);
  }

  letGo(): void {
    this.#letGo();
  }
}

/** The number once it has not changed for many rounds of the event loop and its timers. Nothing here takes longer than one. */
async function atRest(count: () => number): Promise<number> {
  for (let seen = count(), rounds = 0; ; rounds++) {
    await new Promise((resolve) => setTimeout(resolve));
    if (count() !== seen) [seen, rounds] = [count(), 0];
    else if (rounds > 30) return seen;
  }
}

describe("a source is read one row further than", () => {
  test.each([
    [{ workers: 1, concurrency: undefined }, 3],
    [{ workers: 4, concurrency: undefined }, 9],
    [{ workers: 1, concurrency: 1 }, 1],
    [{ workers: 1, concurrency: 8 }, 8],
  ])("rows are in hand, with %o", async ({ workers, concurrency }, expected) => {
    const watched = new WatchedDecider();
    const rows = new WatchedRows(states(40), (index) => {
      expect(watched.underWay).toBeLessThanOrEqual(expected);
      expect(rows.pulled).toBe(index);
    });
    const results = decideMany(watched, rows, { questions: QUESTIONS, concurrency }, workers);
    for await (const { error } of results) expect(error).toBeUndefined();
    expect(watched.most).toBe(expected);
  });

  test("results are taken: a loop that stands still keeps a bounded number of them", async () => {
    const watched = new WatchedDecider();
    const rows = new WatchedRows(states(1000));
    const iterator = decideMany(watched, rows, { questions: QUESTIONS, concurrency: 2 }, 1);
    await next(iterator);
    const pulled = await atRest(() => rows.pulled);
    expect(pulled).toBe(1 + 9 * 2 + 1);
    for (let taken = 1; taken < 10; taken++) await next(iterator);
    expect(await atRest(() => rows.pulled)).toBe(pulled + 9);
    await ended(iterator);
    expect(rows.isReturned).toBe(true);
  });

  test("one that takes long lets a bounded number of others go before it", async () => {
    const watched = new WatchedDecider(stateOf(0));
    const rows = new WatchedRows(states(1000));
    const iterator = decideMany(watched, rows, { questions: QUESTIONS, concurrency: 3 }, 1);
    const first = next(iterator);
    await expect.poll(() => watched.underWay).toBe(1);
    expect(await atRest(() => rows.pulled)).toBe(9 * 3 + 1);
    watched.letGo();
    expect((await first).index).toBe(0);
    for (let index = 1; index < 40; index++) expect((await next(iterator)).index).toBe(index);
    await ended(iterator);
  });
});

test("with `ordered: false` a row that takes long keeps no other back", async () => {
  const watched = new WatchedDecider(stateOf(0));
  const indexes: number[] = [];
  for await (const { index } of decideMany(watched, states(6), { questions: QUESTIONS, ordered: false }, 1)) {
    indexes.push(index);
    if (indexes.length === 5) watched.letGo();
  }
  expect(indexes).toEqual([1, 2, 3, 4, 5, 0]);
  const ordered = await collected(decideMany(new WatchedDecider(), states(6), { questions: QUESTIONS }, 1));
  expect(ordered.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
});

test("rows go on while their results are worked on, a few ahead", async () => {
  const watched = new WatchedDecider();
  const rows = new WatchedRows(states(20));
  for await (const { index } of decideMany(watched, rows, { questions: QUESTIONS }, 1)) {
    if (index === 0) await expect.poll(() => rows.pulled).toBeGreaterThan(5);
  }
  expect(rows.pulled).toBe(21);
});
