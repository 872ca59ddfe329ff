import { vi } from "vitest";
import type { Engine } from "../../../src/library/engine/engine.ts";
import { queuedEngine } from "../../../src/library/engine/queued-engine.ts";
import { FairQueue } from "../../../src/service/queue/fair-queue.ts";
import type { FairQueueLimits } from "../../../src/service/queue/fair-queue.ts";
import { fakeModel, INFO } from "../../support/fake-engine.ts";

const LIMITS: FairQueueLimits = { waitingRequests: 1000, waitingBytes: 1e9, deadlineMs: 8000, runMs: 8000 };
/** Every byte of a request takes so long, except where a test says otherwise. */
export const MS_PER_BYTE = 0.1;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Asked {
  readonly key: string;
  readonly sizeBytes: number;
  readonly takesMs: number;
  readonly signal?: AbortSignal;
}

/** A queue in front of engines whose models only let time pass: of the test's own clock. */
export class Service {
  /** How long the model worked for each key. */
  readonly usedMs = new Map<string, number>();
  readonly outcomes: { readonly key: string; readonly status: string; readonly tookMs: number }[] = [];
  mostHeld = 0;
  /** The most engines that worked at one time. */
  mostWorking = 0;
  #held = 0;
  #working = 0;
  #pauses = 0;
  readonly #engines: readonly { readonly engine: Engine; readonly priorities: number[] }[];
  readonly queue: FairQueue;

  constructor(stepMs: number, limits: Partial<FairQueueLimits> = {}, workers = 1) {
    this.#engines = Array.from({ length: workers }, () => ({ engine: this.#engineOf(stepMs), priorities: [] }));
    this.queue = new FairQueue(
      { ...LIMITS, ...limits },
      () => performance.now(),
      async () => {
        const priority = ++this.#pauses;
        const ends = await Promise.all(this.#engines.map(({ engine }) => engine.pause(priority)));
        return () => {
          this.#pauses--;
          for (const end of ends) end();
        };
      },
      () => workers,
    );
  }

  #engineOf(stepMs: number): Engine {
    return queuedEngine(
      fakeModel({
        score: async ({ state }, beforeRun) => {
          const [, key = "", takesMs] = /^(.*) (.*)$/u.exec(state) ?? [];
          this.mostHeld = Math.max(this.mostHeld, ++this.#held);
          try {
            for (let leftMs = Number(takesMs); leftMs > 0; leftMs -= stepMs) {
              await beforeRun();
              const ranMs = Math.min(stepMs, leftMs);
              this.usedMs.set(key, (this.usedMs.get(key) ?? 0) + ranMs);
              this.mostWorking = Math.max(this.mostWorking, ++this.#working);
              await sleep(ranMs);
              this.#working--;
            }
          } finally {
            this.#held--;
          }
          return { questions: [], warnings: [], inputTokens: 0 };
        },
      }),
      INFO,
    );
  }

  /** Asks an engine that is free for calls of this priority, of which there is always one. */
  async #score(state: string, ended: AbortSignal): Promise<void> {
    const priority = this.#pauses;
    const free = this.#engines.find(({ priorities }) => priorities.every((other) => other < priority));
    if (free === undefined) throw new Error("more requests run than there are workers");
    free.priorities.push(priority);
    try {
      await free.engine.score({ state, questions: [], priority }, ended);
    } finally {
      free.priorities.splice(free.priorities.indexOf(priority), 1);
    }
  }

  async ask({ key, sizeBytes, takesMs, signal = new AbortController().signal }: Asked): Promise<void> {
    const sinceMs = performance.now();
    const status = await this.queue
      .run({ key, sizeBytes, signal }, (run) => run.work((ended) => this.#score(`${key} ${takesMs}`, ended)))
      .then(
        () => "answered",
        (error: unknown) => (error as { code?: string }).code ?? "gone",
      );
    this.outcomes.push({ key, status, tookMs: performance.now() - sinceMs });
  }

  /** Asks again and again, more at a time than there are workers, so that there is always one that waits. */
  async flood(asked: Omit<Asked, "signal">, untilMs: number): Promise<void> {
    const one = async (): Promise<void> => {
      while (performance.now() < untilMs) {
        const beforeMs = performance.now();
        await this.ask(asked);
        // It was refused.
        if (performance.now() === beforeMs) await sleep(100);
      }
    };
    await Promise.all(Array.from({ length: this.#engines.length + 2 }, one));
  }

  async every(ms: number, asked: Asked, untilMs: number): Promise<void> {
    const all: Promise<void>[] = [];
    while (performance.now() < untilMs) {
      all.push(this.ask(asked));
      await sleep(ms);
    }
    await Promise.all(all);
  }

  of(key: string): readonly { readonly status: string; readonly tookMs: number }[] {
    return this.outcomes.filter((outcome) => outcome.key === key);
  }
}

/** Turns the clock, timer by timer, and lets everything happen in between. */
export async function advance(ms: number): Promise<void> {
  const untilMs = performance.now() + ms;
  // So that the last step ends there.
  setTimeout(() => undefined, ms);
  await new Promise(setImmediate);
  while (performance.now() < untilMs) {
    vi.advanceTimersToNextTimer();
    await new Promise(setImmediate);
  }
}
