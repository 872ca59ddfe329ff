import { once } from "node:events";
import { setImmediate as nextTask } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { Tensor } from "onnxruntime-common";
import { afterEach, describe, expect, it } from "vitest";
import type { PackFiles } from "../../../../src/library/engine/pack/open-pack.ts";
import type { Runtime, Session } from "../../../../src/library/engine/runtime.ts";
import { NativeGate, gated, gatedFiles } from "../../../../src/library/platform/node/native-gate.ts";
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
  import { NativeGate } from "../../../../src/library/platform/node/native-gate.ts";
  const { memory, counts, callMs } = workerData;
  const gate = new NativeGate(memory);
  gate.started();
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
      await gate.pass(call);
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
async function callingThread(gate: NativeGate, callMs = CALL_MS): Promise<CallingThread> {
  const counts = new Int32Array(new SharedArrayBuffer(12));
  const thread = await startThread(CALLING, { workerData: { memory: gate.memory, counts, callMs } });
  threads.push(thread);
  await once(thread, "message");
  const count = (of: number): number => Atomics.load(counts, of);
  const triesAgain = async (): Promise<void> => {
    const ended = count(ENDED);
    while (count(WANTED) <= ended) await nextTask();
    // It answers once it has gone through the gate or was turned away.
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

describe("an open gate", () => {
  it("passes on what a native call returns and what it throws", async () => {
    const gate = new NativeGate(undefined, ENDLESS_MS);
    expect(await gate.pass(() => Promise.resolve("result"))).toBe("result");
    await expect(gate.pass(() => Promise.reject(new Error("native")))).rejects.toThrow("native");
    // Neither call is counted any more: otherwise shutting would wait for it.
    expect(gate.shut()).toBe(true);
  });
});

describe("a gate that is shut", () => {
  it("runs nothing, and leaves the caller waiting", async () => {
    const gate = new NativeGate();
    gate.shut();
    let ran = false;
    const call = gate.pass(() => Promise.resolve((ran = true)));
    expect(await isSettled(call)).toBe(false);
    expect(ran).toBe(false);
  });

  it("is shut for every thread that holds its memory", async () => {
    const gate = new NativeGate();
    new NativeGate(gate.memory).shut();
    let ran = false;
    expect(await isSettled(gate.pass(() => Promise.resolve((ran = true))))).toBe(false);
    expect(ran).toBe(false);
  });

  it("does not count the calls that it turned away: shutting it again waits for nothing", async () => {
    const gate = new NativeGate();
    gate.started();
    gate.shut();
    void gate.pass(() => Promise.resolve());
    expect(gate.shut()).toBe(true);
    expect(await gate.shutSoon(isGone)).toBe(true);
  });
});

describe("shutting the gate of a thread that is inside a native call", () => {
  it("blocks until the call has ended, and the thread makes no other one", async () => {
    const gate = new NativeGate();
    const { calls, triesAgain } = await callingThread(gate);
    expect(gate.shut()).toBe(true);
    const [began, ended] = calls();
    expect(began).toBe(ended);
    await triesAgain();
    expect(calls()).toEqual([began, ended]);
  });

  it("soon, waits for the call without blocking this thread", async () => {
    const gate = new NativeGate();
    const { calls, triesAgain } = await callingThread(gate);
    let isFree = false;
    setImmediate(() => (isFree = true));
    expect(await gate.shutSoon(isGone)).toBe(true);
    const [began, ended] = calls();
    expect([began, isFree]).toEqual([ended, true]);
    await triesAgain();
    expect(calls()).toEqual([began, ended]);
  });

  it("at once, gives a call up that takes longer than its patience, and no sooner", async () => {
    const timesMs = [0, 1, 2, 3];
    const gate = new NativeGate(undefined, 3, () => timesMs.shift() ?? NaN);
    const { calls } = await callingThread(gate, ENDLESS_MS);
    expect(gate.shut()).toBe(false);
    expect([timesMs, calls()]).toEqual([[], [1, 0]]);
  });

  it("soon, gives a call up that takes longer than its patience, and no sooner", async () => {
    const clock = new TestClock();
    const gate = new NativeGate(undefined, 100, clock.now);
    const { calls } = await callingThread(gate, ENDLESS_MS);
    const shut = gate.shutSoon(isGone);
    clock.nowMs = 99;
    await clock.readAgain();
    expect(await isSettled(shut)).toBe(false);
    clock.nowMs = 100;
    expect(await shut).toBe(false);
    expect(calls()).toEqual([1, 0]);
    // It is not waited for a second time.
    clock.stepMs = 100;
    const reads = clock.reads;
    expect([gate.shut(), clock.reads - reads]).toEqual([false, 1]);
  });
});

describe("shutting the gate soon", () => {
  it("waits for a worker that has not started yet", async () => {
    const clock = new TestClock();
    const gate = new NativeGate(undefined, 100, clock.now);
    const shut = gate.shutSoon(isGone);
    await clock.readAgain();
    expect(await isSettled(shut)).toBe(false);
    new NativeGate(gate.memory).started();
    expect(await shut).toBe(true);
  });

  it("does not wait for a worker that is gone", async () => {
    const clock = new TestClock();
    const gate = new NativeGate(undefined, 100, clock.now);
    let gone = false;
    const shut = gate.shutSoon(() => gone);
    await clock.readAgain();
    expect(await isSettled(shut)).toBe(false);
    gone = true;
    expect(await shut).toBe(true);
  });

  it("does not take a worker that died inside native code for one that is still there", async () => {
    const gate = new NativeGate();
    void new NativeGate(gate.memory).pass(() => new Promise(() => undefined));
    expect(await gate.shutSoon(() => true)).toBe(true);
  });
});

describe("behind a gate that is shut", () => {
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
    const gate = new NativeGate();
    const { InferenceSession, ...rest } = gated(runtime, gate);
    const guarded = gatedFiles(files, gate);
    expect(rest).toEqual({ Tensor });
    const open = await InferenceSession.create(new Uint8Array(), {});
    await open.run({}, []);
    await guarded.read("weights.bin");
    expect(calls.splice(0)).toEqual(["create", "run", "read"]);
    gate.shut();
    void InferenceSession.create(new Uint8Array(), {});
    void open.run({}, []);
    void open.release();
    expect(await isSettled(guarded.read("weights.bin"))).toBe(false);
    expect(calls).toEqual([]);
  });

  it("a session that is still open can be released until then", async () => {
    const open = await gated(runtime, new NativeGate()).InferenceSession.create(new Uint8Array(), {});
    await open.release();
    expect(calls.splice(0)).toEqual(["create", "release"]);
  });
});
