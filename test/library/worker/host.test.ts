import { describe, expect, it } from "vitest";
import type { EngineOptions } from "../../../src/library/engine/engine.ts";
import { DecideError } from "../../../src/errors.ts";
import { version } from "../../../src/version.ts";
import { makeHost } from "../../../src/library/worker/worker-engine.ts";
import type { EngineHost } from "../../../src/library/worker/worker-engine.ts";
import { BATCH, fakeEngine, INFO, SCORES } from "../../support/fake-engine.ts";
import type { FakeEngine } from "../../support/fake-engine.ts";

const OPTIONS: EngineOptions = { device: "auto", threads: 1 };

/** A host whose engine is loaded. */
async function loadedHost(): Promise<{ host: EngineHost; engine: FakeEngine }> {
  const engine = fakeEngine();
  const host = makeHost(() => Promise.resolve(engine));
  await host.load(version, "file:///pack/", OPTIONS, undefined);
  return { host, engine };
}

describe("loading", () => {
  it("hands pack, options and progress to the platform, and answers with the engine's facts", async () => {
    const given: unknown[] = [];
    const host = makeHost((...args) => {
      given.push(...args);
      return Promise.resolve(fakeEngine());
    });
    const onProgress = (): void => undefined;
    expect(await host.load(version, "file:///pack/", OPTIONS, onProgress)).toEqual({ ok: true, value: INFO });
    expect(given).toEqual(["file:///pack/", OPTIONS, onProgress]);
  });

  it("is refused for a caller of another version, with both versions and what to do, before anything is loaded", async () => {
    let loads = 0;
    const host = makeHost(() => {
      loads++;
      return Promise.resolve(fakeEngine());
    });
    const outcome = await host.load("99.9.9", "file:///pack/", OPTIONS, undefined);
    expect(outcome).toMatchObject({ ok: false, error: { code: "backend_unavailable", status: 503 } });
    const { message } = (outcome as { error: { message: string } }).error;
    expect(message).toContain(`script has version 99.9.9, but its worker has version ${version}`);
    expect(message).toMatch(/dist\/umpire\/ of the same version/);
    expect(loads).toBe(0);
  });

  it("that fails has the error as its outcome, with code, status, issues and the cause as text", async () => {
    const issues = [{ loc: ["body"], msg: "is wrong", type: "empty" }] as const;
    const error = new DecideError("model_invalid", "The model is damaged.", { issues, cause: new RangeError("too small") });
    const host = makeHost(() => Promise.reject(error));
    expect(await host.load(version, "file:///pack/", OPTIONS, undefined)).toEqual({
      ok: false,
      error: { code: "model_invalid", message: "The model is damaged.", status: 500, issues, cause: "RangeError: too small" },
    });
  });
});

describe("a call", () => {
  it("has the engine's scores as its outcome", async () => {
    const { host, engine } = await loadedHost();
    const outcome = host.score(0, BATCH);
    expect(engine.calls[0]?.batch).toBe(BATCH);
    engine.calls[0]?.answer(SCORES);
    expect(await outcome).toEqual({ ok: true, value: SCORES });
  });

  it("that fails with an error of no class of ours is `internal`, and says what it was", async () => {
    const { host, engine } = await loadedHost();
    const outcome = host.score(0, BATCH);
    engine.calls[0]?.fail(new TypeError("x is undefined"));
    expect(await outcome).toMatchObject({ ok: false, error: { code: "internal", cause: "TypeError: x is undefined" } });
  });

  it("before the engine is loaded is `internal`", async () => {
    const host = makeHost(() => Promise.resolve(fakeEngine()));
    expect(await host.score(0, BATCH)).toMatchObject({ ok: false, error: { code: "internal" } });
  });
});

describe("an abort", () => {
  it("reaches the call of its number, and no other one", async () => {
    const { host, engine } = await loadedHost();
    const outcomes = [host.score(4, BATCH), host.score(5, BATCH)];
    host.abort(5);
    expect(engine.calls.map(({ signal }) => signal?.aborted)).toEqual([false, true]);
    for (const call of engine.calls) call.answer(SCORES);
    await Promise.all(outcomes);
  });

  it("that comes after the answer changes nothing", async () => {
    const { host, engine } = await loadedHost();
    const outcome = host.score(4, BATCH);
    engine.calls[0]?.answer(SCORES);
    await outcome;
    host.abort(4);
    host.abort(17);
    expect(engine.calls[0]?.signal?.aborted).toBe(false);
  });
});

describe("pauses", () => {
  it("reach the engine, and the last one ends first", async () => {
    const { host, engine } = await loadedHost();
    expect(await host.pause(1)).toEqual({ ok: true, value: undefined });
    await host.pause(2);
    expect(engine.pauses).toEqual([1, 2]);
    host.resume();
    expect(engine.pauses).toEqual([1]);
    host.resume();
    host.resume();
    expect(engine.pauses).toEqual([]);
  });
});

describe("closing", () => {
  it("closes the engine", async () => {
    const { host, engine } = await loadedHost();
    expect(await host.close()).toEqual({ ok: true, value: undefined });
    expect(engine.closed).toBe(1);
  });

  it("before the engine is loaded succeeds", async () => {
    const host = makeHost(() => Promise.resolve(fakeEngine()));
    expect(await host.close()).toEqual({ ok: true, value: undefined });
  });
});
