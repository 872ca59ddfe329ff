import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairSchedule } from "../../../src/service/queue/fair-schedule.ts";
import type { ScheduledTurn } from "../../../src/service/queue/fair-schedule.ts";

/** A schedule with a clock that the test turns. */
class Bench {
  nowMs = 0;
  readonly schedule = new FairSchedule<ScheduledTurn>(() => this.nowMs);

  add(key: string, expectedMs = 100): ScheduledTurn {
    const turn = { key, expectedMs };
    this.schedule.add(turn);
    return turn;
  }

  /** Begins the next turn, which takes as long as it is expected to, unless told otherwise. */
  runNext(takesMs?: number): string | undefined {
    const turn = this.schedule.next();
    if (turn === undefined) return undefined;
    this.schedule.begin(turn);
    this.schedule.correct(turn.key, (takesMs ?? turn.expectedMs) - turn.expectedMs);
    this.nowMs += takesMs ?? turn.expectedMs;
    return turn.key;
  }

  /** Keys in the order in which all their turns begin. */
  drain(): string[] {
    const keys: string[] = [];
    for (let key = this.runNext(); key !== undefined; key = this.runNext()) keys.push(key);
    return keys;
  }
}

describe("the fair schedule", () => {
  it("alternates between keys that use as much time as each other, in the order of arrival", () => {
    const bench = new Bench();
    for (const key of ["a", "a", "a", "b", "b"]) bench.add(key);
    expect(bench.drain()).toEqual(["a", "b", "a", "b", "a"]);
  });

  it("gives a key whose turns are expected to take longer fewer of them", () => {
    const bench = new Bench();
    for (let i = 0; i < 3; i++) bench.add("long", 300);
    for (let i = 0; i < 7; i++) bench.add("short", 100);
    expect(bench.drain().join(" ")).toBe("long short short short long short short short long short");
  });

  it("gives keys the same share of the time, however long their turns take, and whatever was expected", () => {
    const greedy = fc.record({ expectedMs: fc.nat(1000), takesMs: fc.integer({ min: 1, max: 1000 }) });
    fc.assert(
      fc.property(fc.array(greedy, { minLength: 2, maxLength: 6 }), (keys) => {
        const bench = new Bench();
        const used = keys.map(() => 0);
        keys.forEach(({ expectedMs }, i) => bench.add(String(i), expectedMs));
        while (bench.nowMs < 100_000) {
          const next = Number(bench.schedule.next()?.key);
          const { expectedMs, takesMs } = keys[next] ?? { expectedMs: 0, takesMs: 0 };
          bench.runNext(takesMs);
          used[next] = (used[next] ?? 0) + takesMs;
          bench.add(String(next), expectedMs);
        }
        expect(Math.max(...used) - Math.min(...used)).toBeLessThanOrEqual(2000);
      }),
    );
  });

  it("lets a turn go ahead of others without taking from them the time that they have not used", () => {
    const bench = new Bench();
    for (const key of ["a", "b", "c"]) bench.add(key, 1000);
    bench.runNext();
    const ahead = bench.add("a", 100);
    bench.schedule.begin(ahead);
    expect([bench.schedule.startOf("a"), bench.schedule.startOf("b"), bench.schedule.startOf("c")]).toEqual([1100, 0, 0]);
  });

  it("charges a key for the turns it had, but not for those that were removed", () => {
    const bench = new Bench();
    const [first, second] = [bench.add("a"), bench.add("a")];
    expect(bench.schedule.begin(first)).toBe(0);
    bench.schedule.remove(second);
    expect([bench.schedule.startOf("a"), bench.schedule.startOf("b")]).toEqual([100, 0]);
  });

  it("corrects what a turn was expected to take, and charges time beside the turns", () => {
    const bench = new Bench();
    bench.schedule.begin(bench.add("a"));
    bench.schedule.correct("a", 7900);
    expect(bench.schedule.startOf("a")).toBe(8000);
    bench.schedule.charge("a", 50);
    bench.schedule.charge("b", 20);
    expect([bench.schedule.startOf("a"), bench.schedule.startOf("b")]).toEqual([8050, 20]);
  });

  it("lets a new key start at the current virtual time, not in the past", () => {
    const bench = new Bench();
    for (let i = 0; i < 3; i++) bench.add("a");
    bench.drain();
    expect(bench.schedule.startOf("new")).toBe(200);
  });

  it("does not forget what a key used when nothing waits: that fades as time passes", () => {
    const bench = new Bench();
    bench.add("heavy", 8000);
    bench.drain();
    bench.schedule.rest();
    const ahead = (): number => bench.schedule.startOf("heavy") - bench.schedule.startOf("light");
    expect(ahead()).toBe(8000);
    bench.nowMs += 3000;
    expect(ahead()).toBe(5000);
    bench.nowMs += 6000;
    expect(ahead()).toBe(0);
  });

  it("finds the first of those that are wanted, and the last of all", () => {
    const bench = new Bench();
    const turns = [bench.add("a", 500), bench.add("a", 50), bench.add("b", 300), bench.add("c", 20)];
    expect(bench.schedule.next()).toBe(turns[0]);
    expect(bench.schedule.next(({ expectedMs }) => expectedMs < 100)).toBe(turns[3]);
    expect(bench.schedule.next(() => false)).toBeUndefined();
    expect(bench.schedule.last()).toBe(turns[1]);
    expect([...bench.schedule.starts()].map(([, start]) => start)).toEqual([0, 500, 0, 0]);
    expect(bench.schedule.size).toBe(4);
  });

  it("remembers a bounded number of keys, those that were served last", () => {
    const bench = new Bench();
    for (let i = 0; i < 25_000; i++) bench.schedule.charge(`key ${i}`, 10);
    const starts = ["key 24999", "key 15000", "key 14999", "key 0"].map((key) => bench.schedule.startOf(key));
    expect(starts).toEqual([10, 10, 0, 0]);
  });
});
