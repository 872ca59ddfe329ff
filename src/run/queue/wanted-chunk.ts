import type { ChunkJob } from "./chunk.ts";

/** A chunk that was asked for, and was not joined yet. */
export class WantedChunk {
  readonly job: ChunkJob;
  /** Whether what was counted in it is part of the progress that was told. */
  isCounted = false;
  #hasEnded = false;
  #wake: () => void = () => undefined;

  constructor(job: ChunkJob) {
    this.job = job;
  }

  /** To be called when the queue says that its job has ended, well or not. */
  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** Resolves once its job has ended since this was awaited the last time, or after a time. */
  async ended(timeoutMs: number): Promise<void> {
    if (!this.#hasEnded)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#hasEnded = false;
  }
}
