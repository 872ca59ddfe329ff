import type { KeptBytes } from "../../engine.ts";

interface KeptState {
  readonly bytes: number;
}

interface Entry<S extends KeptState> {
  readonly state: S;
  users: number;
  holds: number;
}

/** A state that is in use: it is not freed before its user has left it. */
export interface StateInUse<S extends KeptState> {
  readonly state: S;
  /** Called once. */
  leave(): void;
}

/**
 * States by their text: those that are held, and of the others those that were used last, up to a limit in bytes. What is in use is freed when its last
 * user leaves it.
 */
export class StateCache<S extends KeptState> {
  readonly #limitBytes: number;
  readonly #free: (state: S) => void;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<S>>();

  /** @param limitBytes of states that nobody holds or uses */
  constructor(limitBytes: number, free: (state: S) => void) {
    this.#limitBytes = limitBytes;
    this.#free = free;
  }

  /** Whether a state may stay that nobody holds or uses. */
  get keepsIdle(): boolean {
    return this.#limitBytes > 0;
  }

  /** Uses the state of a text, if it is here. */
  find(text: string): StateInUse<S> | undefined {
    const entry = this.#entries.get(text);
    return entry && this.#use(text, entry);
  }

  /** Uses a state that was just read. If another call has added the same text meanwhile, that one is used, and this one is freed. */
  add(text: string, state: S): StateInUse<S> {
    const before = this.find(text);
    if (before === undefined) return this.#use(text, { state, users: 0, holds: 0 });
    this.#free(state);
    return before;
  }

  /** Keeps a state that is in use, whatever the limit. @returns what ends it. Called once. */
  hold(text: string): () => void {
    const entry = this.#entries.get(text);
    if (entry === undefined) throw new TypeError("only a state that is in use can be held");
    entry.holds++;
    return () => {
      entry.holds--;
      this.#trim(this.#limitBytes);
    };
  }

  kept(): KeptBytes {
    const heldBytes = this.#bytesOf(({ holds }) => holds > 0);
    return { heldBytes, cachedBytes: this.#bytesOf(isIdle), cacheBytes: this.#limitBytes };
  }

  /** Frees every state that nobody holds or uses. */
  forget(): void {
    this.#trim(-1);
  }

  clear(): void {
    for (const { state } of this.#entries.values()) this.#free(state);
    this.#entries.clear();
  }

  #use(text: string, entry: Entry<S>): StateInUse<S> {
    // To the end: it is the one that was used last.
    this.#entries.delete(text);
    this.#entries.set(text, entry);
    entry.users++;
    const leave = (): void => {
      entry.users--;
      this.#trim(this.#limitBytes);
    };
    return { state: entry.state, leave };
  }

  /** Of the idle states, keeps those that were used last and still fit. */
  #trim(limitBytes: number): void {
    let leftBytes = limitBytes;
    for (const [text, entry] of [...this.#entries].reverse()) {
      const { state } = entry;
      if (!isIdle(entry)) continue;
      if (state.bytes <= leftBytes) leftBytes -= state.bytes;
      else {
        this.#entries.delete(text);
        this.#free(state);
      }
    }
  }

  #bytesOf(counts: (entry: Entry<S>) => boolean): number {
    return [...this.#entries.values()].filter(counts).reduce((sum, { state }) => sum + state.bytes, 0);
  }
}

function isIdle({ users, holds }: Entry<KeptState>): boolean {
  return users === 0 && holds === 0;
}
