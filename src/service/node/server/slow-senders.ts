export interface LeastProgress {
  /** Milliseconds within which an unfinished body has to grow by `bodyProgressBytes`. */
  readonly bodyProgressMs: number;
  readonly bodyProgressBytes: number;
}

/** The part of an exchange that matters here. */
interface Upload {
  readonly incoming: { readonly complete: boolean; readonly socket: { readonly bytesRead: number } };
  readonly outgoing: { readonly headersSent: boolean };
}

/** Finds the clients whose bodies come in too slowly. Looks at all exchanges now and then, because a timer for each request would cost every request. */
export class SlowSenders {
  readonly #least: LeastProgress;
  /** For each unfinished body: how much its connection had received, and when. */
  readonly #progress = new WeakMap<Upload["incoming"], { readonly bytes: number; readonly sinceMs: number }>();

  constructor(least: LeastProgress) {
    this.#least = least;
  }

  /** Those of the exchanges whose body has not grown enough. @param nowMs milliseconds on a monotonic clock */
  among<T extends Upload>(exchanges: Iterable<T>, nowMs: number): readonly T[] {
    const { bodyProgressMs, bodyProgressBytes } = this.#least;
    const slow: T[] = [];
    for (const exchange of exchanges) {
      const { incoming, outgoing } = exchange;
      if (incoming.complete || outgoing.headersSent) continue;
      const bytes = incoming.socket.bytesRead;
      const before = this.#progress.get(incoming);
      if (before === undefined || bytes - before.bytes >= bodyProgressBytes) this.#progress.set(incoming, { bytes, sinceMs: nowMs });
      else if (nowMs - before.sinceMs >= bodyProgressMs) slow.push(exchange);
    }
    return slow;
  }
}
