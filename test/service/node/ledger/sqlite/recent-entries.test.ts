import fc from "fast-check";
import { expect, test } from "vitest";
import { recentEntries } from "../../../../../src/service/node/ledger/sqlite/recent-entries.ts";

const RECENT_MS = 1000;

test("however the clock is set, an entry is recent for its whole time, and for a hundredth more at most once others follow", () => {
  const step = fc.record({ passMs: fc.integer({ min: 0, max: 400 }), setMs: fc.integer({ min: -5000, max: 5000 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      let [steadyMs, setMs] = [0, 0];
      const clock = { timeMs: () => 1e9 + steadyMs + setMs, steadyMs: () => steadyMs };
      const recent = recentEntries(RECENT_MS, 0, clock);
      const madeMs: number[] = [];
      for (const step of steps) {
        steadyMs += step.passMs;
        setMs += step.setMs;
        madeMs.push(steadyMs);
        recent.added(madeMs.length);
        for (const [i, atMs] of madeMs.entries()) {
          const isRecent = recent.has(i + 1, 0);
          if (steadyMs - atMs < RECENT_MS) expect(isRecent).toBe(true);
          // The next mark may be a step later, and the entry after it later still.
          const nextMs = madeMs.find((ms) => ms >= atMs + RECENT_MS / 100) ?? Infinity;
          if (steadyMs - nextMs >= RECENT_MS) expect(isRecent).toBe(false);
        }
      }
    }),
  );
});

test("entries from before are recent by their time, counted on by a clock that nobody sets", () => {
  let [timeMs, steadyMs] = [50_000, 7];
  const recent = recentEntries(RECENT_MS, 3, { timeMs: () => timeMs, steadyMs: () => steadyMs });
  timeMs = 0;
  expect([recent.has(1, 48_999), recent.has(2, 49_100), recent.has(3, 50_000)]).toEqual([false, true, true]);
  steadyMs += 200;
  expect([recent.has(2, 49_100), recent.has(3, 50_000)]).toEqual([false, true]);
});

test("of very many entries, the last ones of the time are recent", () => {
  let steadyMs = 0;
  const recent = recentEntries(RECENT_MS, 0, { timeMs: () => 0, steadyMs: () => steadyMs });
  for (let id = 1; id <= 100_000; id++) {
    steadyMs += 0.1;
    recent.added(id);
    if (id % 1000 === 0) recent.has(id, 0);
  }
  // The oldest recent entry was made 1,000 ms ago: 10,000 entries.
  expect([recent.has(89_800, 0), recent.has(90_001, 0)]).toEqual([false, true]);
});
