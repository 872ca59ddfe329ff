import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { realPatience } from "../../../../src/tools/models/hub/patience.ts";

describe("the patience with a server", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("ends after 30 s in which nothing is heard", () => {
    const giveUp = vi.fn();
    const { heard, end } = realPatience.listen(giveUp);
    vi.advanceTimersByTime(29_999);
    heard();
    vi.advanceTimersByTime(29_999);
    expect(giveUp).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(giveUp).toHaveBeenCalledOnce();
    end();
  });

  it("does not end once nobody waits", () => {
    const giveUp = vi.fn();
    realPatience.listen(giveUp).end();
    vi.advanceTimersByTime(60_000);
    expect(giveUp).not.toHaveBeenCalled();
  });
});

describe("a pause", () => {
  it("ends by itself", async () => {
    await expect(realPatience.pause(1, undefined)).resolves.toBeUndefined();
  });

  it("ends with the signal's reason", async () => {
    const ending = new AbortController();
    const pause = realPatience.pause(600_000, ending.signal);
    ending.abort(new Error("enough"));
    await expect(pause).rejects.toThrow("enough");
    await expect(realPatience.pause(600_000, ending.signal)).rejects.toThrow("enough");
  });
});
