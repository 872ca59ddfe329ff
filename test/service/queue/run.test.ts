import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Run } from "../../../src/service/queue/run.ts";

describe("the time of a run", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const turn = { key: "a", sizeBytes: 1, signal: new AbortController().signal };
  const timed = (limitMs: number): Run => new Run({ turn, expectedMs: 1, start: 0, queuedMs: 0 }, limitMs, () => performance.now());

  it("is limited: the signal is aborted after the limit, with an error that names it", () => {
    const time = timed(1000);
    time.resume();
    vi.advanceTimersByTime(999);
    expect(time.timeLimit.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(time.timeLimit.reason).toMatchObject({ code: "input_too_long", status: 413, issues: [{ loc: ["body"], type: "too_long" }] });
    expect((time.timeLimit.reason as Error).message).toContain("1000 ms");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not count while it is stopped", () => {
    const time = timed(1000);
    time.resume();
    vi.advanceTimersByTime(600);
    time.stop();
    vi.advanceTimersByTime(5000);
    expect([time.usedMs, time.isWorking, vi.getTimerCount()]).toEqual([600, false, 0]);
    time.resume();
    vi.advanceTimersByTime(399);
    expect([time.usedMs, time.isWorking, time.timeLimit.aborted]).toEqual([999, true, false]);
    vi.advanceTimersByTime(1);
    expect(time.timeLimit.aborted).toBe(true);
  });

  it.each([Infinity, 1e12])("has no end with a limit of %f ms, which no timer can be set for", (limitMs) => {
    const time = timed(limitMs);
    time.resume();
    vi.advanceTimersByTime(100_000);
    expect([time.timeLimit.aborted, vi.getTimerCount()]).toEqual([false, 0]);
  });
});
