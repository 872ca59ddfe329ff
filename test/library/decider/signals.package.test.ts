import { getEventListeners } from "node:events";
import { createDecider } from "umpire";
import type { Decider } from "umpire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rejection } from "../../support/rejection.ts";

const request = { state: "It rained.", questions: { wet: { type: "noul", instructions: "Is it wet?" } } } as const;

describe("thirty calls with one signal", () => {
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  /** Warnings are told in a later turn of the event loop. */
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  let decider: Decider;
  let stop: AbortController;
  beforeAll(() => {
    process.on("warning", note);
    stop = new AbortController();
    decider = createDecider({ threads: 1, signal: stop.signal });
  });
  afterAll(async () => {
    process.off("warning", note);
    await decider.close();
  });
  const thirty = (signal: AbortSignal): Promise<unknown>[] => Array.from({ length: 30 }, () => decider.decide(request, { signal }));

  it("print no warning, and leave no listener behind", async () => {
    const { signal } = new AbortController();
    const calls = thirty(signal);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await Promise.all([...calls, ...Array.from({ length: 30 }, () => decider.info())]);
    await turn();
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    // The decider itself still waits for its own.
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
  });

  it("are all aborted, each with the signal's reason", async () => {
    const controller = new AbortController();
    const calls = thirty(controller.signal).map((call) => rejection(() => call));
    const reason = new Error("enough");
    controller.abort(reason);
    expect(new Set(await Promise.all(calls))).toEqual(new Set([reason]));
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    expect(decider.stats().pendingCalls).toBe(0);
  });

  it("are aborted by the decider's signal, too, which then has no listener", async () => {
    const { signal } = new AbortController();
    const calls = thirty(signal).map((call) => rejection(() => call));
    const reason = new Error("all of it");
    stop.abort(reason);
    expect(new Set(await Promise.all(calls))).toEqual(new Set([reason]));
    await decider.close();
    expect([signal, stop.signal].map((one) => getEventListeners(one, "abort").length)).toEqual([0, 0]);
    await turn();
    expect(warnings).toEqual([]);
  });
});
