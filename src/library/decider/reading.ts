import type { DecideOptions, DecideResponse, Questions } from "../decide/types.ts";
import type { Batch } from "../engine/engine.ts";
import { DecideError } from "../../errors.ts";
import type { Reading } from "./decider.ts";
import type { EnginePool, PinInPool } from "./engine-pool.ts";

/** Asks questions about the reading's state, by the rules of the decider. */
type Ask = (questions: unknown, options: DecideOptions | undefined, score: EnginePool["score"]) => Promise<DecideResponse>;

/** A state that a model's engine keeps read. When that engine is lost, the next one reads it as soon as it is asked. */
export class PinnedReading implements Reading {
  readonly tokens: number;
  readonly bytes: number;
  readonly #pool: EnginePool;
  readonly #ask: Ask;
  readonly #pending = new Set<Promise<unknown>>();
  #pin: PinInPool;
  #closing: Promise<void> | undefined;

  constructor(pin: PinInPool, pool: EnginePool, ask: Ask) {
    this.tokens = pin.tokens;
    this.bytes = pin.bytes;
    this.#pin = pin;
    this.#pool = pool;
    this.#ask = ask;
  }

  async decide<const Q extends Questions>(questions: unknown, options?: DecideOptions): Promise<DecideResponse<Q>> {
    if (this.#closing !== undefined) throw new DecideError("closed", "This reading is closed. Read the state again with decider.read().");
    const answered = this.#ask(questions, options, async (batch, signal) => {
      if (!this.#pin.isHere()) await this.#pinAgain(batch, signal);
      return this.#pool.score(batch, signal);
    });
    this.#pending.add(answered);
    try {
      return (await answered) as DecideResponse<Q>;
    } finally {
      this.#pending.delete(answered);
    }
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#pending).then(() => this.#pin.release());
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #pinAgain({ state, priority }: Batch, signal: AbortSignal | undefined): Promise<void> {
    const pin = await this.#pool.pin({ state, ...(priority !== undefined && { priority }) }, signal);
    // Each call has a signal of its own, so none waits for another that does the same: the first one's stays.
    if (this.#pin.isHere()) await pin.release();
    else this.#pin = pin;
  }
}
