import { tmpdir } from "node:os";
import { createDecider, decide } from "umpire";
import type { DecideRequest, LazyDecider } from "umpire";
import type { Worker } from "node:worker_threads";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longRequest, quickRequest } from "../../support/long-requests.ts";
import { SUITE_MODELS, longRequestFor } from "../engine/suite-models.ts";
import { decideError, rejection } from "../../support/rejection.ts";

/** Real workers are killed here. They run in this process, so `process.on("worker")` sees each of them. */
const workers: Worker[] = [];
const onWorker = (worker: Worker): void => void workers.push(worker);
beforeAll(() => {
  process.on("worker", onWorker);
});
afterAll(() => {
  process.off("worker", onWorker);
});

const lastWorker = (): Worker => {
  const worker = workers.at(-1);
  if (worker === undefined) throw new Error("no worker has started");
  return worker;
};

// A family can change what its model does when it is ended in the middle of a run.
describe.each(SUITE_MODELS)("when the worker of a $family model dies", (model) => {
  const longRequest = longRequestFor(model);
  let pack: string;
  beforeAll(async () => {
    pack = await model.makePack();
  });
  const make = (): LazyDecider => createDecider({ model: pack });

  it("while it runs, all its calls fail with worker_lost, and the next call works", async () => {
    await using decider = await make();
    const expected = await decider.decide(quickRequest);
    const requests: DecideRequest[] = [longRequest, quickRequest, longRequest, quickRequest];
    const calls = requests.map((request) => decideError(() => decider.decide(request)));
    await sleep(100);
    await lastWorker().terminate();
    const errors = await Promise.all(calls);
    expect(errors.map(({ code, retryable }) => [code, retryable])).toEqual(Array.from({ length: 4 }, () => ["worker_lost", true]));
    expect(await decider.decide(quickRequest)).toEqual(expected);
  });

  it.each(model.isBuiltIn ? [5, 35, 80, 130, 190] : [35])("during a call (after %i ms), the process lives on", async (afterMs) => {
    await using decider = await make();
    const failed = decideError(() => decider.decide(longRequest));
    await sleep(afterMs);
    await lastWorker().terminate();
    expect((await failed).code).toBe("worker_lost");
  });
});

describe("when a worker dies", () => {
  it("while it is idle, the next call starts a new one", async () => {
    await using decider = await createDecider();
    const first = await decider.decide(quickRequest);
    const before = workers.length;
    await lastWorker().terminate();
    expect(await decider.decide(quickRequest)).toEqual(first);
    expect(workers.length).toBe(before + 1);
  });

  it("while it loads, waiting calls fail with worker_lost, and the next call works", async () => {
    await using decider = createDecider();
    const calls = [decider.decide(quickRequest), decider.decide(quickRequest), decider.info()].map((call) => decideError(() => call));
    const started = workers.length;
    while (workers.length === started) await sleep(1);
    await lastWorker().terminate();
    for (const error of await Promise.all(calls)) {
      expect(error).toMatchObject({ code: "worker_lost", status: 503, retryable: true });
      expect(error.cause).toBeInstanceOf(Error);
    }
    expect((await decider.decide(quickRequest)).model).toBe("umpire-2");
  });

  it("of an uncaught exception, the error's cause is that exception", async () => {
    await using decider = await createDecider();
    await decider.decide(quickRequest);
    const failed = decideError(() => decider.decide(longRequest));
    // Not a call of the host: the worker's listener throws, and nothing in the worker catches it.
    lastWorker().postMessage({ id: 0, method: "none", args: [] });
    const error = await failed;
    expect(error).toMatchObject({ code: "worker_lost", retryable: true });
    expect((error.cause as Error).message).toMatch(/not a function/);
    expect((await decider.decide(quickRequest)).model).toBe("umpire-2");
  });

  it("repeatedly, the next call works each time", async () => {
    await using decider = createDecider();
    for (let i = 0; i < 4; i++) {
      const failed = decideError(() => decider.decide(longRequest));
      await decider.info();
      await lastWorker().terminate();
      expect((await failed).code).toBe("worker_lost");
    }
    expect((await decider.decide(quickRequest)).model).toBe("umpire-2");
  });

  it("in one decider, calls of another decider are answered", async () => {
    await using victim = await createDecider();
    const itsWorker = lastWorker();
    await using bystander = await createDecider();
    const failed = decideError(() => victim.decide(longRequest));
    const answered = bystander.decide(quickRequest);
    await sleep(50);
    await itsWorker.terminate();
    expect((await failed).code).toBe("worker_lost");
    expect((await answered).model).toBe("umpire-2");
  });

  it("an aborted call keeps its reason, and close ends", async () => {
    const decider = await createDecider();
    const controller = new AbortController();
    const aborted = rejection(() => decider.decide(longRequest, { signal: controller.signal }));
    const lost = decideError(() => decider.decide(quickRequest));
    await sleep(100);
    controller.abort("mine");
    await lastWorker().terminate();
    expect(await aborted).toBe("mine");
    expect((await lost).code).toBe("worker_lost");
    await decider.close();
  });

  it("while the decider closes, close() still ends", async () => {
    const decider = await createDecider();
    const lost = decideError(() => decider.decide(longRequest));
    await sleep(50);
    const closing = decider.close();
    await lastWorker().terminate();
    expect((await lost).code).toBe("worker_lost");
    await closing;
  });

  it("behind the shared decide(), the next call starts a new one", async () => {
    const first = await decide(quickRequest);
    const failed = decideError(() => decide(longRequest));
    await sleep(50);
    await lastWorker().terminate();
    expect((await failed).code).toBe("worker_lost");
    expect(await decide(quickRequest)).toEqual(first);
    await lastWorker().terminate();
  });
});

describe("an error in the worker", () => {
  it("reaches the caller with its class, code, status, issues and the text of its cause", async () => {
    const error = await decideError(() => createDecider({ model: tmpdir() }).decide(quickRequest));
    expect(error).toMatchObject({ name: "DecideError", code: "model_invalid", status: 500, retryable: false });
    expect(error.message).toContain(tmpdir());
    expect((error.cause as Error).message).toMatch(/^Error: ENOENT/);
  });

  it("in one call leaves the others unharmed", async () => {
    await using decider = await createDecider();
    const tooLong = { ...quickRequest, state: longRequest.state.repeat(2) };
    const calls = [quickRequest, tooLong, quickRequest].map((request) => decider.decide(request));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await decideError(() => calls[1])).toMatchObject({
      code: "input_too_long",
      status: 413,
      issues: [{ loc: ["body", "state"], type: "too_long" }],
    });
  });
});
