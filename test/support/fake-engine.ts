import type { Batch, BatchScores, Engine, EngineInfo, KeptBytes, Pin, StateToPin } from "../../src/library/engine/engine.ts";
import type { Model } from "../../src/library/engine/queued-engine.ts";
import type { Platform } from "../../src/library/platform/platform.ts";

/** Engines, models and a platform for tests that need none of the real ones. Each does what the test says; what it leaves open does nothing. */

export const INFO: EngineInfo = {
  model: "fake",
  description: "Answers when it is told to.",
  releaseDate: "2026-11-21",
  licence: "none",
  family: "fake",
  seal: "0".repeat(64),
  features: 0,
  limits: { stateTokens: 1, windowTokens: 1, overlapTokens: 1, instructionsTokens: 1, optionTokens: 1 },
  calibration: { choice: [{ maxOptions: 255, temperature: 1 }], noul: { temperature: 1, bias: 0 }, score: { temperature: 1 } },
  device: "cpu",
  deviceReason: "none",
  precision: "fp32",
  graph: "fake",
  threads: 1,
};

export const BATCH: Batch = { state: "s", questions: [] };

export const SCORES: BatchScores = {
  questions: [{ scores: Float32Array.of(0.5, -0.5), answerTokens: Uint32Array.of(1, 2) }],
  warnings: [],
  inputTokens: 7,
};

/** A number from 0 to 1 for any text and salt, the same every time. */
export function numberFor(text: string, salt: number): number {
  let bits = Math.imul(salt + 1, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) bits = Math.imul(bits ^ text.charCodeAt(i), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  return ((bits ^ (bits >>> 13)) >>> 0) / 2 ** 32;
}

/** Scores that depend on the texts alone, as a model's do: other texts have others. */
export function scoresByText({ state, questions }: Batch): BatchScores {
  return {
    questions: questions.map(({ instructions, options }) => ({
      scores: Float32Array.from(options, ({ text }) => 4 * numberFor(`${state}\n${instructions}\n${text}`, 0) - 2),
      answerTokens: Uint32Array.from(options, ({ answer }) => answer?.length ?? 1),
    })),
    warnings: [],
    inputTokens: state.length,
  };
}

/** Tokens of every state that a fake engine keeps. Each takes 8 bytes. */
export const HELD_TOKENS = 3;

/** A call of `score` that waits for the test. */
export interface WaitingCall {
  readonly batch: Batch;
  readonly signal: AbortSignal | undefined;
  answer(scores: BatchScores): void;
  fail(error: unknown): void;
}

export interface FakeEngine extends Engine {
  /** Calls of `score` that the test has to answer: all, unless the test gave the engine a `score` of its own. */
  readonly calls: WaitingCall[];
  /** States that are pinned. */
  readonly held: readonly string[];
  /** Priorities of the pauses that have not ended. */
  readonly pauses: readonly number[];
  /** How often it was closed. */
  readonly closed: number;
}

/** What a test says of its engine. */
export type FakeEngineOptions = Partial<Pick<Engine, "score" | "pause" | "close">> & { readonly info?: Partial<EngineInfo> };

/** An engine without a model. Its calls wait until the test answers them, or are answered by the test's own `score`. */
export function fakeEngine(options: FakeEngineOptions = {}): FakeEngine {
  const calls: WaitingCall[] = [];
  const held: string[] = [];
  const pauses: number[] = [];
  let closed = 0;
  return {
    info: { ...INFO, ...options.info },
    calls,
    held,
    pauses,
    get closed() {
      return closed;
    },
    score:
      options.score ??
      ((batch, signal) =>
        new Promise((answer, fail) => {
          calls.push({ batch, signal, answer, fail });
        })),
    pin: ({ state }: StateToPin): Promise<Pin> => {
      held.push(state);
      const release = (): Promise<void> => Promise.resolve(void held.splice(held.indexOf(state), 1));
      return Promise.resolve({ tokens: HELD_TOKENS, bytes: 8 * HELD_TOKENS, release });
    },
    kept: (): Promise<KeptBytes> => Promise.resolve({ heldBytes: 8 * HELD_TOKENS * held.length, cachedBytes: 0, cacheBytes: 0 }),
    pause:
      options.pause ??
      ((priority) => {
        pauses.push(priority);
        return Promise.resolve(() => void pauses.splice(pauses.indexOf(priority), 1));
      }),
    close: async () => {
      closed++;
      await options.close?.();
    },
  };
}

/** A model for `queuedEngine()`. It answers at once, with no questions, and keeps no state. */
export function fakeModel(options: Partial<Model> = {}): Model {
  return {
    graph: "g",
    graphFile: "g.onnx",
    features: 0,
    score: () => Promise.resolve({ questions: [], warnings: [], inputTokens: 0 }),
    hold: () => Promise.resolve({ tokens: 0, bytes: 0, release: () => undefined }),
    kept: () => ({ heldBytes: 0, cachedBytes: 0, cacheBytes: 0 }),
    forget: () => undefined,
    release: () => Promise.resolve(),
    ...options,
  };
}

/** A platform without packs and without workers. */
export function fakePlatform(options: Partial<Platform> = {}): Platform {
  return {
    devices: ["cpu"],
    defaultThreads: 1,
    builtIn: () => Promise.resolve([]),
    catalogue: () => Promise.resolve([]),
    placeOf: () => undefined,
    startWorker: () => {
      throw new Error("This platform has no workers.");
    },
    loadInline: () => Promise.reject(new Error("This platform has no engine.")),
    ...options,
  };
}
