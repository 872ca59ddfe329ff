import type { Decider, DecideResponse } from "umpire";
import { abortable } from "../../../src/library/async/signals.ts";
import { sharedDecider } from "../../support/shared-decider.ts";

/** The shared decider behind a gate: while the gate is shut, calls wait, and end only if they are aborted. */
export class Gate {
  readonly decider: Decider;
  /** How many calls wait. */
  waiting = 0;
  #opened: Promise<void> = Promise.resolve();
  #open = (): void => undefined;

  constructor() {
    const decide = async (...[request, options]: Parameters<Decider["decide"]>): Promise<DecideResponse> => {
      this.waiting++;
      await abortable(this.#opened, options?.signal).finally(() => this.waiting--);
      return sharedDecider.decide(request, options);
    };
    this.decider = { decide, models: () => sharedDecider.models(), stats: () => sharedDecider.stats() } as unknown as Decider;
  }

  shut(): void {
    this.#opened = new Promise((resolve) => (this.#open = resolve));
  }

  open(): void {
    this.#open();
  }

  /** Resolves when so many calls wait. */
  async reached(calls: number): Promise<void> {
    while (this.waiting < calls) await new Promise(setImmediate);
  }
}
