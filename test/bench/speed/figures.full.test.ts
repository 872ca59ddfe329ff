import { describe, expect, it } from "vitest";
import { load } from "./modules.ts";
import type { Contender, Estimate } from "./modules.ts";

const { figuresOf, ratioOf } = await load("figures");
const { inTurns } = await load("turns");
const { targetRows, verdictOf } = await load("targets");

describe("figures", () => {
  it("are median, 95th percentile and an interval around the median", () => {
    const turns = [
      [10, 11, 12],
      [20, 21, 22],
      [30, 31, 32],
    ];
    const { medianMs, p95Ms, lowMs, highMs, calls } = figuresOf(turns);
    expect([medianMs, p95Ms, calls]).toEqual([21, 31.6, 9]);
    expect(lowMs).toBeLessThan(medianMs);
    expect(highMs).toBeGreaterThan(medianMs);
  });

  it("draw turns anew, and so know what calls of one turn share", () => {
    const sameInATurn = figuresOf([Array<number>(50).fill(10), Array<number>(50).fill(20)]);
    expect([sameInATurn.lowMs, sameInATurn.highMs]).toEqual([10, 20]);
  });

  it("compare contenders turn by turn: what slows both changes nothing", () => {
    const [fast, slow] = [
      [[1], [5], [2]],
      [[10], [50], [20]],
    ];
    expect(ratioOf(slow, fast)).toEqual({ value: 10, low: 10, high: 10 });
  });
});

describe("turns", () => {
  it("go round, and keep the first call of each apart", async () => {
    const asked: string[] = [];
    const contender = (name: string, ms: number): Contender => ({
      name,
      ask: (call) => {
        asked.push(`${name}${call}`);
        return Promise.resolve(ms + call / 100);
      },
    });
    const times = await inTurns([contender("a", 1), contender("b", 2)], { turns: 2, callsATurn: 3, limitMs: 60_000 });
    expect(asked).toEqual(["a0", "b1", "a2", "a3", "a4", "b5", "b6", "b7", "a8", "a9", "a10", "b11", "b12", "b13"]);
    expect(times.get("a")).toEqual({
      first: [[1.02], [1.08]],
      warm: [
        [1.03, 1.04],
        [1.09, 1.1],
      ],
    });
  });

  it("have one call where calls are long, and are at least two", async () => {
    let calls = 0;
    const ask = (): Promise<number> => (calls++, Promise.resolve(5000));
    const times = await inTurns([{ name: "slow", ask }], { turns: 9, callsATurn: 4, limitMs: 0 });
    expect(calls).toBe(3);
    expect(times.get("slow")).toEqual({ first: [[5000], [5000]], warm: [[5000], [5000]] });
  });
});

describe("targets", () => {
  const estimate = (value: number): Estimate => ({ value, low: value, high: value });

  it("say whether they were reached, from above or from below", () => {
    const atLeast = { least: 16, stretch: 20 };
    expect([15.9, 16, 20].map((value) => verdictOf(atLeast, estimate(value)))).toEqual(["NOT REACHED", "reached", "reached, stretch too"]);
    const atMost = { most: 175, stretch: 140 };
    expect([176, 175, 140].map((value) => verdictOf(atMost, estimate(value)))).toEqual(["NOT REACHED", "reached", "reached, stretch too"]);
  });

  it("may have no second limit", () => {
    expect([79, 80, 81].map((value) => verdictOf({ most: 80 }, estimate(value)))).toEqual(["reached", "reached", "NOT REACHED"]);
  });

  it("of the base model are judged by its own figures alone", () => {
    const contenders = { umpire: { warm: { medianMs: 70, lowMs: 69, highMs: 71 } }, "transformers.js fp32": { timesAsLong: estimate(9) } };
    const starts = { umpire: { ms: estimate(800), rssMb: 430 } };
    const rows = targetRows({ base: { cells: [{ key: "10/144/1", contenders }], starts } });
    expect(rows.map(({ verdict }) => verdict).slice(-4)).toEqual(["reached", "NOT REACHED", "reached", "NOT REACHED"]);
    expect(new Set(rows.slice(0, -4).map(({ verdict }) => verdict))).toEqual(new Set(["not measured"]));
  });

  it("are all listed, also where nothing was measured", () => {
    const rows = targetRows({});
    expect(rows).toHaveLength(14);
    expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(new Set(["not measured"]));
  });
});
