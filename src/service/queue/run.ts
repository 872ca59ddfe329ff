import { withAnySignal } from "../../library/async/signals.ts";
import { RunTime } from "./run-time.ts";

/** A request whose turn has come. */
export interface Turn {
  /** Keys share the time fairly, however many requests each of them sends. */
  readonly key: string;
  /** Size of the request: what is known in advance about the work it causes. */
  readonly sizeBytes: number;
  readonly signal: AbortSignal;
}

/** How a run ended. `stopped`: by its caller, or by the limit. */
export type Outcome = "answered" | "stopped" | "failed";

/** How a run starts. */
export interface RunStart {
  /** How long it is expected to take. */
  readonly expectedMs: number;
  /** Virtual time at which it starts. */
  readonly start: number;
  /** How long it has waited. */
  readonly queuedMs: number;
  /** For how long it may run. */
  readonly limitMs: number;
  readonly now: () => number;
}

/** A turn that has begun. What precedes its work, such as the loading of a model, neither counts as its time nor can be paused. */
export class Run {
  readonly turn: Turn;
  readonly expectedMs: number;
  readonly queuedMs: number;
  /** Virtual time at which it started. */
  readonly start: number;
  readonly #time: RunTime;
  /** Undefined until it is over. */
  outcome: Outcome | undefined;
  #isPaused = false;

  constructor(turn: Turn, { expectedMs, start, queuedMs, limitMs, now }: RunStart) {
    this.turn = turn;
    this.expectedMs = expectedMs;
    this.queuedMs = queuedMs;
    this.start = start;
    this.#time = new RunTime(limitMs, now);
  }

  get usedMs(): number {
    return this.#time.usedMs;
  }

  /** Where it is in virtual time. */
  get position(): number {
    return this.start + this.usedMs;
  }

  /** How much longer it is expected to take. */
  get remainingMs(): number {
    return this.outcome === undefined ? Math.max(0, this.expectedMs - this.usedMs) : 0;
  }

  /** Aborted when the model has worked on it for too long. */
  get timeLimit(): AbortSignal {
    return this.#time.signal;
  }

  /** Whether the model works on it. */
  get isWorking(): boolean {
    return this.#time.isRunning;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isStopped(): boolean {
    return this.turn.signal.aborted || this.#time.signal.aborted;
  }

  /** @throws the reason why it is stopped, when the task throws it. */
  work<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#time.start();
    return withAnySignal([this.turn.signal, this.#time.signal], task);
  }

  /** The model works on something else from now on. */
  pause(): void {
    this.#time.stop();
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#time.start();
  }

  /** Ends its time. */
  end(): void {
    this.#time.stop();
  }
}
