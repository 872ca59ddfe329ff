import { describe, expect, it } from "vitest";
import type { Batch, BatchScores, Engine } from "../../../src/library/engine/engine.ts";
import { queuedEngine } from "../../../src/library/engine/queued-engine.ts";
import type { HeldState } from "../../../src/library/engine/queued-engine.ts";
import { decideError, rejection } from "../../support/rejection.ts";
import { fakeModel, INFO } from "../../support/fake-engine.ts";

const SCORES: BatchScores = { questions: [], warnings: [], inputTokens: 0 };
const batch = (state: string): Batch => ({ state, questions: [] });

interface TestModel {
  readonly engine: Engine;
  readonly log: readonly string[];
  readonly settle: (state: string, error?: Error) => Promise<void>;
}

/** A model that answers when it is told to, and notes what it does. */
function model(): TestModel {
  const log: string[] = [];
  const finish = new Map<string, (error?: Error) => void>();
  const engine = queuedEngine(
    fakeModel({
      score: ({ state }) => {
        log.push(`start ${state}`);
        return new Promise((resolve, reject) => {
          finish.set(state, (error) => {
            log.push(`end ${state}`);
            if (error === undefined) resolve(SCORES);
            else reject(error);
          });
        });
      },
      release: () => {
        log.push("release");
        return Promise.resolve();
      },
    }),
    INFO,
  );
  const settle = async (state: string, error?: Error): Promise<void> => {
    while (!finish.has(state)) await Promise.resolve();
    finish.get(state)?.(error);
  };
  return { engine, log, settle };
}

describe("a queued engine", () => {
  it("scores one batch at a time, in the order of the calls", async () => {
    const { engine, log, settle } = model();
    const calls = [engine.score(batch("a")), engine.score(batch("b"))];
    await settle("a");
    await settle("b");
    await Promise.all(calls);
    expect(log).toEqual(["start a", "end a", "start b", "end b"]);
  });

  it("goes on after a batch that failed", async () => {
    const { engine, settle } = model();
    const failed = rejection(() => engine.score(batch("a")));
    const next = engine.score(batch("b"));
    await settle("a", new Error("no"));
    await settle("b");
    expect(await failed).toEqual(new Error("no"));
    expect(await next).toBe(SCORES);
  });

  it("ends a call that waits as soon as it is aborted, and never starts it", async () => {
    const { engine, log, settle } = model();
    const first = engine.score(batch("a"));
    const controller = new AbortController();
    const waiting = rejection(() => engine.score(batch("b"), controller.signal));
    controller.abort(new Error("enough"));
    expect(await waiting).toEqual(new Error("enough"));
    await settle("a");
    await first;
    await engine.close();
    expect(log).toEqual(["start a", "end a", "release"]);
  });

  it("finishes what was asked before it closes, refuses what comes after, and frees the model once", async () => {
    const { engine, log, settle } = model();
    const asked = engine.score(batch("a"));
    const closed = [engine.close(), engine.close()];
    expect((await decideError(() => engine.score(batch("b")))).code).toBe("closed");
    await settle("a");
    await Promise.all([asked, ...closed]);
    expect(log).toEqual(["start a", "end a", "release"]);
  });
});

describe("a pause", () => {
  /** An engine whose model takes two runs for a batch; the test ends each run. */
  const stepping = (): { engine: Engine; log: string[]; endRun: () => Promise<void> } => {
    const log: string[] = [];
    let end: () => void = () => undefined;
    const score = async ({ state }: Batch, beforeRun: () => Promise<void>): Promise<BatchScores> => {
      for (const run of [1, 2]) {
        await beforeRun();
        log.push(`${state}${run}`);
        await new Promise<void>((resolve) => (end = resolve));
      }
      return SCORES;
    };
    const engine = queuedEngine(fakeModel({ score }), INFO);
    const endRun = async (): Promise<void> => {
      await settled();
      end();
      await settled();
    };
    return { engine, log, endRun };
  };
  const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  it("holds a call between two runs, while those that are made in it run alone", async () => {
    const { engine, log, endRun } = stepping();
    const long = engine.score(batch("long"));
    const next = engine.score(batch("next"));
    await settled();
    let isPaused = false;
    const pausing = engine.pause(1).then((end) => {
      isPaused = true;
      return end;
    });
    await settled();
    expect(isPaused).toBe(false);
    await endRun();
    const endPause = await pausing;
    const short = engine.score({ ...batch("short"), priority: 1 });
    await endRun();
    await endRun();
    expect(await short).toBe(SCORES);
    expect(log).toEqual(["long1", "short1", "short2"]);
    endPause();
    for (let run = 0; run < 3; run++) await endRun();
    await Promise.all([long, next]);
    expect(log.slice(3)).toEqual(["long2", "next1", "next2"]);
    await engine.close();
  });

  it("holds also what arrives late, and what runs in an earlier pause", async () => {
    const { engine, log, endRun } = stepping();
    const ends = [await engine.pause(1)];
    const late = engine.score(batch("late"));
    const middle = engine.score({ ...batch("middle"), priority: 1 });
    await settled();
    const pausing = engine.pause(2);
    await endRun();
    ends.push(await pausing);
    const top = engine.score({ ...batch("top"), priority: 2 });
    await endRun();
    await endRun();
    await top;
    ends.pop()?.();
    await endRun();
    await middle;
    expect(log).toEqual(["middle1", "top1", "top2", "middle2"]);
    ends.pop()?.();
    await endRun();
    await endRun();
    await late;
  });

  it("begins only when the run of an aborted call has ended; a call that is aborted in it ends at once", async () => {
    const { engine, log, endRun } = stepping();
    const controllers = [new AbortController(), new AbortController()];
    const [running, held] = controllers.map(({ signal }, i) => rejection(() => engine.score(batch(`${i}`), signal)));
    await settled();
    controllers[0]?.abort(new Error("enough"));
    expect(await running).toEqual(new Error("enough"));
    let isPaused = false;
    const pausing = engine.pause(1).then((end) => {
      isPaused = true;
      return end;
    });
    await settled();
    expect(isPaused).toBe(false);
    await endRun();
    const endPause = await pausing;
    controllers[1]?.abort(new Error("enough"));
    expect(await held).toEqual(new Error("enough"));
    endPause();
    await engine.close();
    expect(log).toEqual(["01"]);
  });
});

describe("a state to be held", () => {
  /** An engine whose model holds a state when it is told to, after one run. */
  const holding = (): { engine: Engine; held: string[]; read: () => void; isReading: () => boolean } => {
    const held: string[] = [];
    let read: (() => void) | undefined;
    const hold = async (state: string, beforeRun: () => Promise<void>): Promise<HeldState> => {
      await beforeRun();
      await new Promise<void>((resolve) => (read = resolve));
      held.push(state);
      return { tokens: 1, bytes: 2, release: () => void held.splice(held.indexOf(state), 1) };
    };
    const engine = queuedEngine(fakeModel({ hold }), INFO);
    return { engine, held, read: () => read?.(), isReading: () => read !== undefined };
  };

  it("waits for its turn, and is released once", async () => {
    const { engine, held, read, isReading } = holding();
    const holds = engine.pin({ state: "s" });
    await expect.poll(isReading).toBe(true);
    read();
    const result = await holds;
    expect([result.tokens, result.bytes, held]).toEqual([1, 2, ["s"]]);
    await Promise.all([result.release(), result.release()]);
    expect(held).toEqual([]);
  });

  it("is not held if the call was aborted in its last run", async () => {
    const { engine, held, read, isReading } = holding();
    const ending = new AbortController();
    const reason = new Error("enough");
    const failed = engine.pin({ state: "s" }, ending.signal).catch((error: unknown) => error);
    await expect.poll(isReading).toBe(true);
    ending.abort(reason);
    expect(await failed).toBe(reason);
    read();
    // After the call that is under way.
    await engine.score(batch("next"));
    expect(held).toEqual([]);
  });
});
