import { abortable } from "../async/signals.ts";
import type { StateToPin } from "../engine/engine.ts";

/** A worker that takes calls. */
export interface Taker {
  /** Priorities of the calls that it has. */
  readonly priorities: number[];
  /** Of the call that it had last. Its engine may still have it read. */
  lastState: string | undefined;
  /** Whether its engine has loaded, and is not being replaced. Calls that wait are better off with an engine that is there. */
  isReady: boolean;
  /** Whether its engine could not be loaded, for want of memory perhaps. The others do its work. */
  isMissing: boolean;
  /** How many threads it has started so far. */
  readonly started: number;
  /** Resolves once its engine has loaded. */
  loaded(): Promise<unknown>;
}

interface PoolState {
  /** The priority of the last pause that has begun and not ended. Calls of a lower one wait. */
  readonly pausedBelow: number;
  readonly isClosed: boolean;
}

interface PinPlace<W> {
  readonly worker: W;
  /** Whether the engine that keeps the state is still there. */
  readonly isHere: () => boolean;
}

interface Waiting<W> {
  readonly state: string;
  readonly priority: number;
  readonly begin: (worker: W) => void;
}

/**
 * Which of several workers a call goes to, and when. Each has one call of a priority at a time: a call goes to the first worker that is free, or waits for
 * the one that keeps its state; the highest priority first, then in the order of arrival.
 */
export class Turns<W extends Taker> {
  readonly #workers: readonly W[];
  readonly #state: PoolState;
  /** The highest priority first, in the order of arrival. */
  readonly #line: Waiting<W>[] = [];
  /** By the state. */
  readonly #pins = new Map<string, Set<PinPlace<W>>>();

  constructor(workers: readonly W[], state: PoolState) {
    this.#workers = workers;
    this.#state = state;
  }

  /** Starts the workers that have never been started. */
  startOthers(): void {
    for (const worker of this.#workers) if (!worker.isReady && worker.started === 0) this.#start(worker);
  }

  /** Starts a worker anew that was lost, beside the others, which go on meanwhile. Where there is none, the next call starts it. */
  replace(worker: W): void {
    if (!this.#workers.some((other) => other !== worker && other.isReady)) return;
    worker.isReady = false;
    this.#start(worker);
  }

  /** Resolves with the worker that the call is for. @throws `signal.reason` once the call is aborted. */
  async next({ state, priority = 0 }: StateToPin, signal: AbortSignal | undefined): Promise<W> {
    let waiting: Waiting<W> | undefined;
    const turn = new Promise<W>((begin) => {
      waiting = { state, priority, begin };
      this.#line.push(waiting);
      // Stable, so that the order of arrival stays.
      this.#line.sort((a, b) => b.priority - a.priority);
    });
    this.goOn();
    try {
      return await abortable(turn, signal);
    } catch (error) {
      const at = this.#line.findIndex((one) => one === waiting);
      if (at >= 0) this.#line.splice(at, 1);
      // Its turn had come in the same moment.
      else
        void turn.then((worker) => {
          this.leave(worker, priority);
        });
      throw error;
    }
  }

  /** Begins the calls for which a worker is free. To be called when one is there, or a pause has ended. */
  goOn(): void {
    for (let at = 0; ;) {
      const next = this.#line[at];
      if (next === undefined || next.priority < this.#state.pausedBelow) return;
      const { state, priority, begin } = next;
      // An engine that is paused takes the calls that are made in the pause.
      const free = this.#workers.filter(({ isReady, priorities }) => isReady && priorities.every((other) => other < priority));
      if (free.length === 0) return;
      const worker = this.#keeperOf(state) ?? free.find(({ lastState }) => lastState === state) ?? free[0];
      // One that waits for the engine that keeps its state lets others go on.
      if (worker === undefined || !free.includes(worker)) {
        at++;
        continue;
      }
      this.#line.splice(at, 1);
      worker.priorities.push(priority);
      worker.lastState = state;
      begin(worker);
    }
  }

  /** A call that a worker had has ended. */
  leave(worker: W, priority = 0): void {
    worker.priorities.splice(worker.priorities.indexOf(priority), 1);
    this.goOn();
  }

  /** Notes that a worker keeps a state read. @returns what forgets it again. */
  keep(state: string, place: PinPlace<W>): () => void {
    const places = this.#pins.get(state) ?? new Set();
    this.#pins.set(state, places.add(place));
    return () => {
      places.delete(place);
      if (places.size === 0 && this.#pins.get(state) === places) this.#pins.delete(state);
    };
  }

  #start(worker: W): void {
    if (this.#state.isClosed) return;
    worker.loaded().then(
      () => {
        this.goOn();
      },
      () => {
        worker.isMissing = true;
      },
    );
  }

  #keeperOf(state: string): W | undefined {
    for (const { worker, isHere } of this.#pins.get(state) ?? []) if (isHere()) return worker;
    return undefined;
  }
}
