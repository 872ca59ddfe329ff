import { describe, expect, it } from "vitest";
import { withinMs } from "../../../src/http/queue/time-limit.ts";
import { decideError, rejection } from "../../support/rejection.ts";

/** Runs until its signal is aborted. */
const endless = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason as Error);
    });
  });

describe("a time limit", () => {
  it("passes on what the task gives or throws", async () => {
    const { signal } = new AbortController();
    expect(await withinMs(1000, signal, () => Promise.resolve(7))).toBe(7);
    expect(await rejection(() => withinMs(1000, signal, () => Promise.reject(new Error("broken"))))).toMatchObject({ message: "broken" });
  });

  it("stops the task after the limit, naming it", async () => {
    const error = await decideError(() => withinMs(20, new AbortController().signal, endless));
    expect(error).toMatchObject({ code: "input_too_long", status: 413, issues: [{ loc: ["body"], type: "too_long" }] });
    expect(error.message).toContain("20 ms");
  });

  it("stops the task when the caller aborts, with the caller's reason", async () => {
    const caller = new AbortController();
    const running = rejection(() => withinMs(10_000, caller.signal, endless));
    const reason = new Error("gone");
    caller.abort(reason);
    expect(await running).toBe(reason);
  });

  it("does not start the task after an abort", async () => {
    let started = false;
    const start = (): Promise<void> => {
      started = true;
      return Promise.resolve();
    };
    await rejection(() => withinMs(1000, AbortSignal.abort(), start));
    expect(started).toBe(false);
  });
});
