import { describe, expect, it } from "vitest";
import type { Batch, BatchScores, EngineInfo } from "../../src/engine/engine.ts";
import { QueuedEngine } from "../../src/engine/queued-engine.ts";
import { decideError, rejection } from "../support/rejection.ts";

const SCORES: BatchScores = { questions: [], warnings: [], inputTokens: 0 };
const batch = (state: string): Batch => ({ state, questions: [] });

interface TestModel {
  readonly engine: QueuedEngine;
  readonly log: readonly string[];
  readonly settle: (state: string, error?: Error) => Promise<void>;
}

/** A model that answers when it is told to, and notes what it does. */
function model(): TestModel {
  const log: string[] = [];
  const finish = new Map<string, (error?: Error) => void>();
  const engine = new QueuedEngine(
    {
      graph: "g",
      graphFile: "g.onnx",
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
    },
    {} as EngineInfo,
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
