import type { DecideError } from "../../../errors.ts";
import type { LedgerNotice } from "./ledger.ts";

/** Tells the owner of a ledger once that it cannot be used, and once that it can be used again. */
export class Condition {
  readonly #onNotice: (notice: LedgerNotice) => void;
  #problem: DecideError | undefined;

  constructor(onNotice: ((notice: LedgerNotice) => void) | undefined) {
    this.#onNotice = onNotice ?? ((): void => undefined);
  }

  get problem(): DecideError | undefined {
    return this.#problem;
  }

  /** @param problem what is wrong now; undefined: nothing */
  set problem(problem: DecideError | undefined) {
    const before = this.#problem;
    this.#problem = problem;
    if (problem !== undefined && problem.message !== before?.message) this.#onNotice({ level: "error", message: problem.message });
    if (problem === undefined && before !== undefined) this.#onNotice({ level: "info", message: "The credits can be used again." });
  }

  /** Notes what `check` throws, and throws it. */
  after(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.problem = error as DecideError;
      throw error;
    }
    this.problem = undefined;
  }
}
