import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { settledWithin, TimedOut } from "../../../src/library/async/signals.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<never>(() => undefined);

describe("settledWithin", () => {
  test("gives the promise's outcome if it settles in time", async () => {
    expect(await settledWithin(1000, Promise.resolve("in time"))).toBe("in time");
    await expect(settledWithin(1000, Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("rejects with a TimedOut after the time, although the promise goes on", async () => {
    let isLate = false;
    const rejected = expect(
      settledWithin(1000, never).finally(() => {
        isLate = true;
      }),
    ).rejects.toSatisfy((error) => error instanceof TimedOut && error.message === "No result within 1000 ms");
    await vi.advanceTimersByTimeAsync(999);
    expect(isLate).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await rejected;
  });
});
