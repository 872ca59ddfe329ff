import type { Served } from "./observe.ts";

type Facts = Partial<Pick<Served, "code" | "cause" | "key" | "model" | "usage" | "answers" | "nanocredits" | "queuedMs">>;

/**
 * Records what becomes known about one request. The stages do not return these facts, because a stage that throws returns nothing: the key, the time in
 * the queue and the usage are reported for failed requests as well.
 */
export class Observation {
  readonly requestId: string;
  #facts: Facts = {};

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  note(facts: Facts): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  /** Everything noted so far, with the request's id. */
  get known(): Facts & Pick<Served, "requestId"> {
    return { requestId: this.requestId, ...this.#facts };
  }
}
