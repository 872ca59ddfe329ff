import { DecideError } from "../../errors.ts";

/** Calls that wait or run: counted, limited in number, and waited for at the end. */
export class Calls {
  readonly #maxPending: number;
  readonly #pending = new Set<Promise<unknown>>();

  constructor(maxPending: number) {
    this.#maxPending = maxPending;
  }

  get pending(): number {
    return this.#pending.size;
  }

  /** @throws {DecideError} `overloaded` when as many calls as may wait or run already do. */
  refuseIfFull(): void {
    if (this.#pending.size < this.#maxPending) return;
    throw new DecideError("overloaded", `${this.#maxPending} calls wait or run already. Wait for some of them, or raise maxPending.`);
  }

  /** The call, counted until it settles. */
  async track<T>(call: Promise<T>): Promise<T> {
    this.#pending.add(call);
    try {
      return await call;
    } finally {
      this.#pending.delete(call);
    }
  }

  /** Resolves when all calls have settled that are pending now. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }
}
