import { withAnySignal } from "../async/signals.ts";
import { DecideError, asDecideError } from "../../errors.ts";

/** Calls that wait or run: counted, limited in number, ended by their own signal or the decider's, and waited for at the end. */
export class Calls {
  readonly #maxPending: number;
  readonly #ended: AbortSignal | undefined;
  readonly #pending = new Set<Promise<unknown>>();

  /** @param ended ends every call */
  constructor(maxPending: number, ended?: AbortSignal) {
    this.#maxPending = maxPending;
    this.#ended = ended;
  }

  get pending(): number {
    return this.#pending.size;
  }

  /** @throws {DecideError} `overloaded` when as many calls as may wait or run already do. */
  refuseIfFull(): void {
    if (this.#pending.size < this.#maxPending) return;
    throw new DecideError("overloaded", `${this.#maxPending} calls wait or run already. Wait for some of them, or raise maxPending.`);
  }

  /**
   * Runs a call, which counts until it settles. It is begun before anything is awaited.
   * @param signal the call's own; `call` is given one that is aborted with it, and with the decider's
   * @throws the signal's reason, if that is why the call failed; any other failure as a DecideError.
   */
  async run<T>(signal: AbortSignal | undefined, call: (ended: AbortSignal) => Promise<T>): Promise<T> {
    const running = withAnySignal([signal, this.#ended], call);
    this.#pending.add(running);
    try {
      return await running;
    } catch (error) {
      throw known(error, signal, this.#ended);
    } finally {
      this.#pending.delete(running);
    }
  }

  /** Resolves when all calls have settled that are pending now. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }
}

/** An error as it is, if it is the reason of a signal that was aborted; any other as a DecideError. */
function known(error: unknown, ...signals: readonly (AbortSignal | undefined)[]): unknown {
  return signals.some((signal) => signal?.aborted && error === signal.reason) ? error : asDecideError(error);
}
