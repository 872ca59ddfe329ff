import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { Tensor } from "onnxruntime-common";
import { afterEach, describe, expect, it } from "vitest";
import type { PackFiles } from "../../../src/engine/pack/open-pack.ts";
import type { Runtime, Session } from "../../../src/engine/runtime.ts";
import { NativeGate, gated, gatedFiles } from "../../../src/platform/node/native-gate.ts";
import { startThread } from "./source-thread.ts";

/** Calls of native code that began and that ended, as the test's threads count them. */
const BEGAN = 0;
const ENDED = 1;
const CALL_MS = 100;
/** Longer than any test. */
const ENDLESS_MS = 600_000;

/** A thread that makes one native call after the other: each blocks it for `callMs`, as onnxruntime does. */
const CALLING = `
  import { parentPort, workerData } from "node:worker_threads";
  import { NativeGate } from "../../../src/platform/node/native-gate.ts";
  const { memory, counts, callMs } = workerData;
  const gate = new NativeGate(memory);
  gate.started();
  const call = async () => {
    Atomics.add(counts, ${BEGAN}, 1);
    parentPort.postMessage("calling");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, callMs);
    Atomics.add(counts, ${ENDED}, 1);
  };
  void (async () => { for (;;) await gate.pass(call); })();`;

const threads: Worker[] = [];
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.terminate();
});

/** A thread inside a native call. */
async function callingThread(gate: NativeGate, callMs = CALL_MS): Promise<{ began: () => number; ended: () => number }> {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const thread = await startThread(CALLING, { workerData: { memory: gate.memory, counts, callMs } });
  threads.push(thread);
  await once(thread, "message");
  return { began: () => Atomics.load(counts, BEGAN), ended: () => Atomics.load(counts, ENDED) };
}

const isGone = (): boolean => false;
const isSettled = (promise: Promise<unknown>): Promise<boolean> => Promise.race([promise.then(() => true), sleep(50).then(() => false)]);

describe("an open gate", () => {
  it("passes on what a native call returns and what it throws", async () => {
    const gate = new NativeGate(undefined, ENDLESS_MS);
    expect(await gate.pass(() => Promise.resolve("result"))).toBe("result");
    await expect(gate.pass(() => Promise.reject(new Error("native")))).rejects.toThrow("native");
    // Neither call is counted any more: otherwise shutting would wait for it.
    gate.shut();
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
    void gate.pass(() => Promise.resolve((ran = true)));
    await sleep(20);
    expect(ran).toBe(false);
  });

  it("does not count the calls that it turned away: shutting it again waits for nothing", async () => {
    const gate = new NativeGate(undefined, ENDLESS_MS);
    gate.started();
    gate.shut();
    void gate.pass(() => Promise.resolve());
    gate.shut();
    await gate.shutSoon(isGone);
  });
});

describe("shutting the gate of a thread that is inside a native call", () => {
  it("blocks until the call has ended, and the thread makes no other one", async () => {
    const gate = new NativeGate();
    const { began, ended } = await callingThread(gate);
    gate.shut();
    const after = ended();
    expect([began(), after]).toEqual([after, after]);
    await sleep(2 * CALL_MS);
    expect([began(), ended()]).toEqual([after, after]);
  });

  it("soon, waits for the call without blocking this thread", async () => {
    const gate = new NativeGate();
    const { began, ended } = await callingThread(gate);
    let isFree = false;
    setImmediate(() => (isFree = true));
    await gate.shutSoon(isGone);
    const after = ended();
    expect([began(), isFree]).toEqual([after, true]);
    await sleep(2 * CALL_MS);
    expect([began(), ended()]).toEqual([after, after]);
  });

  it.each(["at once", "soon"])("%s, gives a call up that takes longer than its patience", async (how) => {
    const gate = new NativeGate(undefined, 100);
    const { ended } = await callingThread(gate, ENDLESS_MS);
    const start = performance.now();
    if (how === "soon") await gate.shutSoon(isGone);
    else gate.shut();
    expect(performance.now() - start).toBeGreaterThanOrEqual(95);
    expect(ended()).toBe(0);
  });
});

describe("shutting the gate soon", () => {
  it("waits for a worker that has not started yet", async () => {
    const gate = new NativeGate();
    const shut = gate.shutSoon(isGone);
    expect(await isSettled(shut)).toBe(false);
    new NativeGate(gate.memory).started();
    await shut;
  });

  it("does not wait for a worker that is gone", async () => {
    const gate = new NativeGate();
    let gone = false;
    const shut = gate.shutSoon(() => gone);
    expect(await isSettled(shut)).toBe(false);
    gone = true;
    await shut;
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
    void guarded.read("weights.bin");
    await sleep(20);
    expect(calls).toEqual([]);
  });

  it("a session that is still open can be released until then", async () => {
    const open = await gated(runtime, new NativeGate()).InferenceSession.create(new Uint8Array(), {});
    await open.release();
    expect(calls.splice(0)).toEqual(["create", "release"]);
  });
});
