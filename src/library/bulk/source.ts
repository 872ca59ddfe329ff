import { DecideError } from "../../errors.ts";
import { shapeOf } from "../validation/field.ts";
import type { StreamOfRows } from "./types.ts";

type AnyIterator = Iterator<unknown> | AsyncIterator<unknown>;

/** Where rows or examples come from, one after the other. */
export class Source {
  readonly #iterator: AnyIterator;
  readonly #item: string;
  #given = 0;
  #isPending = false;
  #isOver = false;

  /**
   * @param item what it gives: "row"
   * @param words what it must be, after "must be"
   * @throws {DecideError} `invalid_request` for what has no items.
   */
  constructor(items: unknown, item: string, words: string) {
    const iterator = iteratorOf(items);
    const given = items === undefined ? "are missing" : `are ${shapeOf(items)}`;
    if (iterator === undefined) throw new DecideError("invalid_request", `${item}s must be ${words}, but ${given}.`);
    this.#iterator = iterator;
    this.#item = item;
  }

  /** @throws {DecideError} `invalid_request` if reading threw: that error is its cause. */
  async next(): Promise<IteratorResult<unknown>> {
    this.#isPending = true;
    try {
      const next = await this.#iterator.next();
      this.#isOver = next.done === true;
      this.#given++;
      return next;
    } catch (cause) {
      this.#isOver = true;
      const message = `The ${this.#item}s could not be read: their iterator threw at ${this.#item} ${this.#given}. The error's cause says why.`;
      throw new DecideError("invalid_request", message, { cause });
    } finally {
      this.#isPending = false;
    }
  }

  /** Tells the source that no more is read of it, as a loop does that is left. Never throws: what ended the reading says more. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const closing = Promise.resolve(this.#iterator)
      .then((left) => left.return?.())
      .catch(() => undefined);
    // A generator that waits for its next row hears of it only then, which may be never.
    if (!this.#isPending) await closing;
  }
}

function iteratorOf(items: unknown): AnyIterator | undefined {
  if (typeof items !== "object" || items === null) return undefined;
  const { [Symbol.asyncIterator]: inTime, [Symbol.iterator]: atOnce } = items as Partial<AsyncIterable<unknown> & Iterable<unknown>>;
  if (typeof inTime === "function") return inTime.call(items);
  if (typeof atOnce === "function") return atOnce.call(items);
  return typeof (items as Partial<StreamOfRows<unknown>>).getReader === "function"
    ? iteratorOfStream(items as StreamOfRows<unknown>)
    : undefined;
}

/** A web stream where it has no iterator of its own. */
function iteratorOfStream(stream: StreamOfRows<unknown>): AsyncIterator<unknown> {
  const reader = stream.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return { done, value };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
