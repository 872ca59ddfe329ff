import { getEventListeners } from "node:events";
import { setImmediate as nextTask } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { abortable } from "../../../src/library/async/signals.ts";

const never = new Promise<never>(() => undefined);

test("without a signal, the promise's own outcome is the result", async () => {
  expect(await abortable(Promise.resolve(1), undefined)).toBe(1);
  await expect(abortable(Promise.reject(new Error("failed")), undefined)).rejects.toThrow("failed");
});

test("an abort rejects at once with the signal's reason, and runs onAbort once", async () => {
  const stop = new AbortController();
  const onAbort = vi.fn();
  const waiting = abortable(never, stop.signal, onAbort);
  const reason = new Error("stopped");
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(onAbort).toHaveBeenCalledTimes(1);
});

test("a signal that is already aborted rejects without running onAbort", async () => {
  const onAbort = vi.fn();
  await expect(abortable(never, AbortSignal.abort(new Error("before")), onAbort)).rejects.toThrow("before");
  expect(onAbort).not.toHaveBeenCalled();
});

test("a promise that fails after its signal was aborted ends no program", async () => {
  const unheard = vi.fn();
  process.on("unhandledRejection", unheard);
  await expect(abortable(Promise.reject(new Error("later")), AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
  await nextTask();
  process.off("unhandledRejection", unheard);
  expect(unheard).not.toHaveBeenCalled();
});

test("after the promise has settled, an abort does nothing and no listener stays on the signal", async () => {
  const stop = new AbortController();
  const onAbort = vi.fn();
  expect(await abortable(Promise.resolve("done"), stop.signal, onAbort)).toBe("done");
  await expect(abortable(Promise.reject(new Error("failed")), stop.signal, onAbort)).rejects.toThrow("failed");
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  stop.abort();
  expect(onAbort).not.toHaveBeenCalled();
});
