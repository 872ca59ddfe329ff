import type { DecideOptions, DecideResponse, Questions } from "../decide/types.ts";
import type { Batch } from "../engine/engine.ts";
import { DecideError } from "../../errors.ts";
import { Calls } from "./calls.ts";
import type { Reading } from "./decider.ts";
import type { EngineSlot, HeldInSlot } from "./engine-slot.ts";

/** Where a state is held and asked about. */
type HoldingSlot = Pick<EngineSlot, "hold" | "score">;

/** Asks questions about a state that is held, by the rules of the decider. */
type Ask = (questions: unknown, options: DecideOptions | undefined, score: HoldingSlot["score"]) => Promise<DecideResponse>;

/** A state held in a model's engine. When that engine is lost, the next one holds it as soon as it is asked. */
export class HeldReading implements Reading {
  readonly tokens: number;
  readonly bytes: number;
  readonly #slot: HoldingSlot;
  readonly #ask: Ask;
  readonly #calls = new Calls(Infinity);
  #held: HeldInSlot;
  #closing: Promise<void> | undefined;

  constructor(held: HeldInSlot, slot: HoldingSlot, ask: Ask) {
    this.tokens = held.held.tokens;
    this.bytes = held.held.bytes;
    this.#held = held;
    this.#slot = slot;
    this.#ask = ask;
  }

  async decide<const Q extends Questions>(questions: unknown, options?: DecideOptions): Promise<DecideResponse<Q>> {
    if (this.#closing !== undefined) throw new DecideError("closed", "This reading is closed. Read the state again with decider.read().");
    const answered = this.#ask(questions, options, async (batch, signal) => {
      await this.#holdAgain(batch, signal);
      return this.#slot.score(batch, signal);
    });
    return (await this.#calls.track(answered)) as DecideResponse<Q>;
  }

  close(): Promise<void> {
    this.#closing ??= this.#calls.settled().then(() => this.#held.held.release());
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Only if its engine is gone. */
  async #holdAgain({ state, depth }: Batch, signal: AbortSignal | undefined): Promise<void> {
    if (this.#held.isHere()) return;
    const held = await this.#slot.hold({ state, ...(depth !== undefined && { depth }) }, signal);
    // Each call has a signal of its own, so none waits for another that does the same: the first one's stays.
    if (this.#held.isHere()) await held.held.release();
    else this.#held = held;
  }
}
