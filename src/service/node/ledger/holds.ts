import type { Hold, HoldRequest } from "../../billing/credits.ts";

interface Held {
  readonly account: string;
  readonly nanocredits: number;
  readonly endsMs: number;
}

/** What a process holds back, in its memory: so it ends with the process at the latest. */
export class Holds {
  readonly #held = new Map<string, Held>();
  readonly #now: () => number;
  #lastId = 0;

  /** @param now milliseconds on a monotonic clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  add({ account, nanocredits, leaseMs }: HoldRequest, balance: number): Hold {
    const others = this.#sumOf(account);
    // Another process may have spent what is held here.
    const available = Math.max(0, balance - others);
    const id = String(++this.#lastId);
    this.#held.set(id, { account, nanocredits: Math.min(nanocredits, available), endsMs: this.#now() + leaseMs });
    return { id, account, availableNanocredits: available, othersNanocredits: others, isPaid: false };
  }

  end({ id }: Hold): void {
    this.#held.delete(id);
  }

  #sumOf(account: string): number {
    let sum = 0;
    for (const [id, held] of this.#held) {
      if (held.endsMs <= this.#now()) this.#held.delete(id);
      else if (held.account === account) sum += held.nanocredits;
    }
    return sum;
  }
}

/** For a request that has been charged before. */
export function paidHold({ account }: Pick<HoldRequest, "account">): Hold {
  return { id: "", account, availableNanocredits: 0, othersNanocredits: 0, isPaid: true };
}
