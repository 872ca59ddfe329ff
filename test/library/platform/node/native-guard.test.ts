import { once } from "node:events";
import { setImmediate as nextTask } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { Tensor } from "onnxruntime-common";
import { afterEach, describe, expect, it } from "vitest";
import type { PackFiles } from "../../../../src/library/engine/pack/open-pack.ts";
import type { Runtime, Session } from "../../../../src/library/engine/runtime.ts";
import { NativeGuard, guarded, guardedFiles } from "../../../../src/library/platform/node/native-guard.ts";
import { startThread } from "./source-thread.ts";

/** Calls of native code that a thread of the test wants to make, that began and that ended. */
const WANTED = 0;
const BEGAN = 1;
const ENDED = 2;
const CALL_MS = 30;
/** Longer than any test. */
const ENDLESS_MS = 600_000;

/** A thread that makes one native call after the other: each blocks it for `callMs`, as onnxruntime does. Between two calls it answers messages. */
const CALLING = `
  import { setImmediate as nextTask } from "node:timers/promises";
  import { parentPort, workerData } from "node:worker_threads";
  import { NativeGuard } from "../../../../src/library/platform/node/native-guard.ts";
  const { memory, counts, callMs } = workerData;
  const guard = new NativeGuard(memory);
  guard.started();
  parentPort.on("message", () => parentPort.postMessage("here"));
  const call = async () => {
    Atomics.add(counts, ${BEGAN}, 1);
    parentPort.postMessage("calling");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, callMs);
    Atomics.add(counts, ${ENDED}, 1);
  };
  void (async () => {
    for (;; await nextTask()) {
      Atomics.add(counts, ${WANTED}, 1);
      await guard.run(call);
    }
  })();`;

const threads: Worker[] = [];
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.terminate();
});

interface CallingThread {
  /** Calls that began, and that ended. */
  readonly calls: () => [began: number, ended: number];
  /** Waits until the thread has tried to make one more call than have ended. */
  readonly triesAgain: () => Promise<void>;
}

/** A thread inside a native call. */
async function callingThread(guard: NativeGuard, callMs = CALL_MS): Promise<CallingThread> {
  const counts = new Int32Array(new SharedArrayBuffer(12));
  const thread = await startThread(CALLING, { workerData: { memory: guard.memory, counts, callMs } });
  threads.push(thread);
  await once(thread, "message");
  const count = (of: number): number => Atomics.load(counts, of);
  const triesAgain = async (): Promise<void> => {
    const ended = count(ENDED);
    while (count(WANTED) <= ended) await nextTask();
    // It answers once it has gone through the guard or was turned away.
    thread.postMessage("are you there?");
    for (let message; message !== "here";) [message] = (await once(thread, "message")) as [unknown];
  };
  return { calls: () => [count(BEGAN), count(ENDED)], triesAgain };
}

/** A clock that the test turns, and that counts how often it was read. */
class TestClock {
  nowMs = 0;
  /** How far it goes by itself each time that it is read. */
  stepMs = 0;
  reads = 0;
  readonly now = (): number => {
    this.reads++;
    return (this.nowMs += this.stepMs);
  };

  /** Waits until it was read some more times. */
  async readAgain(): Promise<void> {
    const enough = this.reads + 5;
    while (this.reads < enough) await nextTask();
  }
}

const isGone = (): boolean => false;

/** Whether a promise has an outcome. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let is = false;
  const settle = (): void => void (is = true);
  promise.then(settle, settle);
  for (let i = 0; i < 5; i++) await nextTask();
  return is;
}

describe("an open guard", () => {
  it("passes on what a native call returns and what it throws", async () => {
    const guard = new NativeGuard(undefined, ENDLESS_MS);
    expect(await guard.run(() => Promise.resolve("result"))).toBe("result");
    await expect(guard.run(() => Promise.reject(new Error("native")))).rejects.toThrow("native");
    // Neither call is counted any more: otherwise shutting would wait for it.
    expect(guard.shut()).toBe(true);
  });
});

describe("a guard that is shut", () => {
  it("runs nothing, and leaves the caller waiting", async () => {
    const guard = new NativeGuard();
    guard.shut();
    let ran = false;
    const call = guard.run(() => Promise.resolve((ran = true)));
    expect(await isSettled(call)).toBe(false);
    expect(ran).toBe(false);
  });

  it("is shut for every thread that holds its memory", async () => {
    const guard = new NativeGuard();
    new NativeGuard(guard.memory).shut();
    let ran = false;
    expect(await isSettled(guard.run(() => Promise.resolve((ran = true))))).toBe(false);
    expect(ran).toBe(false);
  });

  it("does not count the calls that it turned away: shutting it again waits for nothing", async () => {
    const guard = new NativeGuard();
    guard.started();
    guard.shut();
    void guard.run(() => Promise.resolve());
    expect(guard.shut()).toBe(true);
    expect(await guard.shutSoon(isGone)).toBe(true);
  });
});

describe("shutting the guard of a thread that is inside a native call", () => {
  it("blocks until the call has ended, and the thread makes no other one", async () => {
    const guard = new NativeGuard();
    const { calls, triesAgain } = await callingThread(guard);
    expect(guard.shut()).toBe(true);
    const [began, ended] = calls();
    expect(began).toBe(ended);
    await triesAgain();
    expect(calls()).toEqual([began, ended]);
  });

  it("soon, waits for the call without blocking this thread", async () => {
    const guard = new NativeGuard();
    const { calls, triesAgain } = await callingThread(guard);
    let isFree = false;
    setImmediate(() => (isFree = true));
    expect(await guard.shutSoon(isGone)).toBe(true);
    const [began, ended] = calls();
    expect([began, isFree]).toEqual([ended, true]);
    await triesAgain();
    expect(calls()).toEqual([began, ended]);
  });

  it("at once, gives a call up that takes longer than its patience, and no sooner", async () => {
    const timesMs = [0, 1, 2, 3];
    const guard = new NativeGuard(undefined, 3, () => timesMs.shift() ?? NaN);
    const { calls } = await callingThread(guard, ENDLESS_MS);
    expect(guard.shut()).toBe(false);
    expect([timesMs, calls()]).toEqual([[], [1, 0]]);
  });

  it("soon, gives a call up that takes longer than its patience, and no sooner", async () => {
    const clock = new TestClock();
    const guard = new NativeGuard(undefined, 100, clock.now);
    const { calls } = await callingThread(guard, ENDLESS_MS);
    const shut = guard.shutSoon(isGone);
    clock.nowMs = 99;
    await clock.readAgain();
    expect(await isSettled(shut)).toBe(false);
    clock.nowMs = 100;
    expect(await shut).toBe(false);
    expect(calls()).toEqual([1, 0]);
    // It is not waited for a second time.
    clock.stepMs = 100;
    const reads = clock.reads;
    expect([guard.shut(), clock.reads - reads]).toEqual([false, 1]);
  });
});

describe("shutting the guard soon", () => {
  it("waits for a worker that has not started yet", async () => {
    const clock = new TestClock();
    const guard = new NativeGuard(undefined, 100, clock.now);
    const shut = guard.shutSoon(isGone);
    await clock.readAgain();
    expect(await isSettled(shut)).toBe(false);
    new NativeGuard(guard.memory).started();
    expect(await shut).toBe(true);
  });

  it("does not wait for a worker that is gone", async () => {
    const clock = new TestClock();
    const guard = new NativeGuard(undefined, 100, clock.now);
    let gone = false;
    const shut = guard.shutSoon(() => gone);
    await clock.readAgain();
    expect(await isSettled(shut)).toBe(false);
    gone = true;
    expect(await shut).toBe(true);
  });

  it("does not take a worker that died inside native code for one that is still there", async () => {
    const guard = new NativeGuard();
    void new NativeGuard(guard.memory).run(() => new Promise(() => undefined));
    expect(await guard.shutSoon(() => true)).toBe(true);
  });
});

describe("under a guard that is shut", () => {
  /** What ran. */
  const calls: string[] = [];
  const noted = <T>(call: string, result: T): Promise<T> => {
    calls.push(call);
    return Promise.resolve(result);
  };
  const session: Session = { run: () => noted("run", {}), release: () => noted("release", undefined) };
  const runtime: Runtime = {
    Tensor,
    InferenceSession: { create: () => noted("create", session) },
  };
  const files: PackFiles = {
    place: "here",
    areLocal: true,
    read: () => noted("read", new Uint8Array(1)),
    sha256: () => noted("sha256", "digest"),
  };

  it("a runtime makes, runs and releases no session, and files are not read", async () => {
    const guard = new NativeGuard();
    const { InferenceSession, ...rest } = guarded(runtime, guard);
    const readFiles = guardedFiles(files, guard);
    expect(rest).toEqual({ Tensor });
    const open = await InferenceSession.create(new Uint8Array(), {});
    await open.run({}, []);
    await readFiles.read("weights.bin");
    expect(calls.splice(0)).toEqual(["create", "run", "read"]);
    guard.shut();
    void InferenceSession.create(new Uint8Array(), {});
    void open.run({}, []);
    void open.release();
    expect(await isSettled(readFiles.read("weights.bin"))).toBe(false);
    expect(calls).toEqual([]);
  });

  it("a session that is still open can be released until then", async () => {
    const open = await guarded(runtime, new NativeGuard()).InferenceSession.create(new Uint8Array(), {});
    await open.release();
    expect(calls.splice(0)).toEqual(["create", "release"]);
  });
});
