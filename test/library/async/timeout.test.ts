import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { settledWithin, TimedOut, withTimeout } from "../../../src/library/async/signals.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<never>(() => undefined);

/** A task that ends only when its signal is aborted, with the signal's reason. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason as Error);
    });
  });

describe("withTimeout", () => {
  test("gives the task's result, and leaves neither a timer nor a listener behind", async () => {
    const { signal } = new AbortController();
    expect(await withTimeout(1000, () => Promise.resolve(7), { signal })).toBe(7);
    await expect(withTimeout(1000, () => Promise.reject(new Error("failed")), { signal })).rejects.toThrow("failed");
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("aborts the task after the time, not before, with a TimedOut", async () => {
    let aborted: AbortSignal | undefined;
    const result = withTimeout(1000, (signal) => untilAborted((aborted = signal)));
    const rejected = expect(result).rejects.toSatisfy((error) => error instanceof TimedOut && error.message === "No result within 1000 ms");
    await vi.advanceTimersByTimeAsync(999);
    expect(aborted?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await rejected;
  });

  test("aborts the task with the caller's own reason for a timeout", async () => {
    const reason = new Error("too slow");
    const rejected = expect(withTimeout(1000, untilAborted, { reason: () => reason })).rejects.toBe(reason);
    await vi.advanceTimersByTimeAsync(1000);
    await rejected;
  });

  test("waits for a task that does not heed the abort: what it started is still running", async () => {
    let finish: (value: string) => void = () => undefined;
    const result = withTimeout(1000, () => new Promise<string>((resolve) => (finish = resolve)));
    await vi.advanceTimersByTimeAsync(5000);
    finish("late");
    expect(await result).toBe("late");
  });

  test("aborts the task with the reason of the caller's signal", async () => {
    const stop = new AbortController();
    const result = withTimeout(1000, untilAborted, { signal: stop.signal });
    stop.abort(new Error("hung up"));
    await expect(result).rejects.toThrow("hung up");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("does not start the task if the caller's signal is already aborted", async () => {
    const task = vi.fn(() => Promise.resolve());
    await expect(withTimeout(1000, task, { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
    expect(task).not.toHaveBeenCalled();
  });
});

describe("settledWithin", () => {
  test("gives the promise's outcome if it settles in time", async () => {
    expect(await settledWithin(1000, Promise.resolve("in time"))).toBe("in time");
    await expect(settledWithin(1000, Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("rejects with a TimedOut after the time, although the promise goes on", async () => {
    const rejected = expect(settledWithin(1000, never)).rejects.toBeInstanceOf(TimedOut);
    await vi.advanceTimersByTimeAsync(1000);
    await rejected;
  });
});
