import type { CheckedRequest } from "../decide/request.ts";
import type { DecideOptions, DecideRequest, DecideResponse, Questions } from "../decide/types.ts";

/** What is used of a reading. */
export interface RowReading {
  decide(questions: Questions, options: DecideOptions): Promise<DecideResponse>;
  close(): Promise<void>;
}

/** A state that rows beside each other ask about: read once for all of them, and freed after the last. */
export class SharedReading {
  readonly #request: CheckedRequest;
  readonly #reading: Promise<RowReading>;
  #users = 0;
  #isOver = false;

  /** @param request the first row */
  constructor(request: CheckedRequest, reading: Promise<RowReading>) {
    this.#request = request;
    this.#reading = reading;
  }

  isFor(request: CheckedRequest): boolean {
    return isSameState(this.#request, request);
  }

  /** @throws what reading the state or asking about it throws. */
  async decide({ questions }: DecideRequest, options: DecideOptions): Promise<DecideResponse> {
    this.#users++;
    try {
      return await (await this.#reading).decide(questions, options);
    } finally {
      this.#users--;
      this.#closeIfUnused();
    }
  }

  /** No further row is about this state. */
  end(): void {
    this.#isOver = true;
    this.#closeIfUnused();
  }

  #closeIfUnused(): void {
    if (!this.#isOver || this.#users > 0) return;
    // Where there is no reading, its rows have been told.
    void this.#reading.then((reading) => reading.close()).catch(() => undefined);
  }
}

export function isSameState({ parsed: a }: CheckedRequest, { parsed: b }: CheckedRequest): boolean {
  return a.state === b.state && a.model === b.model;
}
