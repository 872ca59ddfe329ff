import type { Batch, BatchScores, Engine, EngineInfo, Held, KeptBytes, StateToHold } from "../../src/engine/engine.ts";

export const INFO: EngineInfo = {
  model: "fake",
  description: "Answers when it is told to.",
  releaseDate: "2026-11-21",
  licence: "none",
  family: "fake",
  seal: "0".repeat(64),
  features: 0,
  limits: { stateTokens: 1, windowTokens: 1, overlapTokens: 1, instructionsTokens: 1, optionTokens: 1 },
  calibration: { choice: [], noul: { temperature: 1, bias: 0 }, score: { temperature: 1 } },
  device: "cpu",
  deviceReason: "none",
  precision: "fp32",
  graph: "fake",
  threads: 1,
};

export const SCORES: BatchScores = {
  questions: [{ scores: Float32Array.of(0.5, -0.5), answerTokens: Uint32Array.of(1, 2) }],
  warnings: [],
  inputTokens: 7,
};

/** A call of `score` that waits for the test. */
interface WaitingCall {
  readonly batch: Batch;
  readonly signal: AbortSignal | undefined;
  answer(scores: BatchScores): void;
  fail(error: unknown): void;
}

export const HELD_TOKENS = 3;

/** An engine without a model, whose calls the test answers. */
export class FakeEngine implements Engine {
  readonly info = INFO;
  readonly calls: WaitingCall[] = [];
  closed = 0;
  /** Depths of the pauses that have not ended. */
  readonly pauses: number[] = [];

  score(batch: Batch, signal?: AbortSignal): Promise<BatchScores> {
    return new Promise((answer, fail) => this.calls.push({ batch, signal, answer, fail }));
  }

  /** States that are held. */
  readonly held: string[] = [];

  hold({ state }: StateToHold): Promise<Held> {
    this.held.push(state);
    const release = (): Promise<void> => Promise.resolve(void this.held.splice(this.held.indexOf(state), 1));
    return Promise.resolve({ tokens: HELD_TOKENS, bytes: 8 * HELD_TOKENS, release });
  }

  kept(): Promise<KeptBytes> {
    return Promise.resolve({ heldBytes: 8 * HELD_TOKENS * this.held.length, cachedBytes: 0, cacheBytes: 0 });
  }

  pause(depth: number): Promise<() => void> {
    this.pauses.push(depth);
    return Promise.resolve(() => void this.pauses.pop());
  }

  close(): Promise<void> {
    this.closed++;
    return Promise.resolve();
  }
}

export const BATCH: Batch = { state: "s", questions: [] };
