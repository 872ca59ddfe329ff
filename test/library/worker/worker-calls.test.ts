import { setImmediate as nextTask } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DecideError } from "../../../src/errors.ts";
import type { Outcome } from "../../../src/library/worker/protocol.ts";
import { WATCHDOG_MS } from "../../../src/library/async/signals.ts";
import { WorkerCalls } from "../../../src/library/worker/worker-engine.ts";
import { decideError } from "../../support/rejection.ts";
import { FakeWorker } from "./fake-worker.ts";

/** A question to a worker, which the test answers. */
function question(): { ask: () => Promise<Outcome<string>>; asked: () => boolean; answer: (text: string) => void } {
  let answer: (outcome: Outcome<string>) => void = () => undefined;
  const outcome = new Promise<Outcome<string>>((resolve) => (answer = resolve));
  let asked = false;
  return {
    ask: () => {
      asked = true;
      return outcome;
    },
    asked: () => asked,
    answer: (value) => {
      answer({ ok: true, value });
    },
  };
}

describe("the program is kept alive", () => {
  it("while any call waits, and no longer", async () => {
    const worker = new FakeWorker();
    const line = new WorkerCalls(worker);
    expect(worker.keepsProgramAlive).toBe(false);
    const [first, second] = [question(), question()];
    const calls = [line.call(first.ask), line.call(second.ask)];
    expect(worker.keepsProgramAlive).toBe(true);
    second.answer("second");
    expect(await calls[1]).toBe("second");
    expect(worker.keepsProgramAlive).toBe(true);
    first.answer("first");
    expect(await calls[0]).toBe("first");
    expect(worker.keepsProgramAlive).toBe(false);
  });

  it("no longer once the worker has died", async () => {
    const worker = new FakeWorker();
    const line = new WorkerCalls(worker);
    const calls = [question(), question()].map(({ ask }) => decideError(() => line.call(ask)));
    worker.die("out of memory");
    await Promise.all(calls);
    expect(worker.keepsProgramAlive).toBe(false);
  });

  it("no longer after a call that failed", async () => {
    const worker = new FakeWorker();
    const line = new WorkerCalls(worker);
    await expect(line.call(() => Promise.reject(new Error("could not be cloned")))).rejects.toThrow("cloned");
    expect(worker.keepsProgramAlive).toBe(false);
  });
});

describe("when the worker dies", () => {
  it("every call that waits fails with worker_lost and the cause of the death", async () => {
    const worker = new FakeWorker();
    const line = new WorkerCalls(worker);
    const calls = [question(), question()].map(({ ask }) => decideError(() => line.call(ask)));
    const cause = new Error("out of memory");
    worker.die(cause);
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: "worker_lost", retryable: true, cause });
    expect(line.lost).toBe(true);
  });

  it("a later call fails in the same way, and nothing is sent", async () => {
    const worker = new FakeWorker();
    const line = new WorkerCalls(worker);
    const cause = new Error("out of memory");
    worker.die(cause);
    await worker.gone;
    const { ask, asked } = question();
    expect(await decideError(() => line.call(ask))).toMatchObject({ code: "worker_lost", cause });
    expect(asked()).toBe(false);
    expect(worker.keepsProgramAlive).toBe(false);
  });

  it("of a DecideError, the calls fail with that", async () => {
    const worker = new FakeWorker();
    const line = new WorkerCalls(worker);
    const call = decideError(() => line.call(question().ask));
    const blocked = new DecideError("backend_unavailable", "The worker could not be started.");
    worker.die(blocked);
    expect(await call).toBe(blocked);
  });

  it("an answer that was there before stays", async () => {
    const worker = new FakeWorker();
    const line = new WorkerCalls(worker);
    const { ask, answer } = question();
    const call = line.call(ask);
    answer("in time");
    expect(await call).toBe("in time");
    worker.die(undefined);
    await worker.gone;
    expect(line.lost).toBe(true);
    expect(await call).toBe("in time");
  });
});

describe("a worker that owes an answer", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is ended when it does not give it: all its calls fail with worker_lost", async () => {
    const worker = new FakeWorker();
    const line = new WorkerCalls(worker);
    const due = line.call(question().ask);
    const errors = [due, line.call(question().ask)].map((call) => decideError(() => call));
    line.endUnless(due);
    vi.advanceTimersByTime(WATCHDOG_MS - 1);
    await nextTask();
    expect(worker.terminated).toBe(0);
    vi.advanceTimersByTime(1);
    for (const error of await Promise.all(errors)) expect(error).toMatchObject({ code: "worker_lost", retryable: true });
    expect([worker.terminated, line.lost, worker.keepsProgramAlive]).toEqual([1, true, false]);
  });

  it("is not ended when its caller was busy for so long, and then reads an answer that has come meanwhile", async () => {
    const worker = new FakeWorker();
    const line = new WorkerCalls(worker);
    const { ask, answer } = question();
    const call = line.call(ask);
    line.endUnless(call);
    await nextTask();
    const busyUntilMs = Date.now() + 2 * WATCHDOG_MS;
    // A timer that is due late fires once; what it sets is due later still.
    vi.setSystemTime(busyUntilMs);
    vi.advanceTimersToNextTimer();
    answer("meanwhile");
    await call;
    await nextTask();
    vi.advanceTimersByTime(2 * WATCHDOG_MS);
    expect(worker.terminated).toBe(0);
  });

  it.each(["an answer", "an error"])("is not ended when it gives %s", async (what) => {
    const worker = new FakeWorker();
    const line = new WorkerCalls(worker);
    const { ask, answer } = question();
    const call = line.call(what === "an answer" ? ask : () => Promise.reject(new Error("no")));
    line.endUnless(call);
    answer("in time");
    await call.catch(() => undefined);
    await nextTask();
    vi.advanceTimersByTime(2 * WATCHDOG_MS);
    await nextTask();
    expect(worker.terminated).toBe(0);
  });
});
