import type { Decider } from "../../../src/public.ts";
import type { ManyRequest, ManyResult, NoulQuestion } from "../../../src/public.ts";
import { fakeDecider } from "../../support/fake-decider.ts";
import { fakeEngine, scoresByText } from "../../support/fake-engine.ts";
import { ASKED } from "../../support/texts.ts";

/** What the tests of rows share. */

export const ANGRY = { type: "noul", instructions: ASKED.angry } as const satisfies NoulQuestion;
export const QUESTIONS = { angry: ANGRY } as const;
export const LATE = { type: "noul", instructions: "Is something late?" } as const;
export const [A, B] = ["The parcel is late.", "I am furious!"];

/** Rows of one question each about the same state. */
export const about = (state: unknown, ...questions: (typeof ANGRY | typeof LATE)[]): ManyRequest[] =>
  questions.map((question) => ({ state: state as string, questions: { q: question } }));

const WORDS = ["parcel", "invoice", "kettle", "refund", "garden", "train"];

/** A state of its own for each index, some of them much longer than others. */
export function stateOf(index: number): string {
  const sentence = `Message ${index}: the ${WORDS[index % WORDS.length]} is late. `;
  return sentence.repeat(index % 4 === 0 ? 12 : 1).trim();
}

/** Resolves in a later turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A decider without a model, which answers each call a turn of the event loop later. */
export function quickDecider(options: Parameters<typeof fakeDecider>[1] = {}): Required<Decider> {
  return fakeDecider(fakeEngine({ score: (batch) => turn().then(() => scoresByText(batch)) }), options);
}

/** Rows, and how far they were read. */
export class WatchedRows<Row> implements AsyncIterable<Row> {
  pulled = 0;
  isReturned = false;
  readonly #rows: Iterator<Row>;
  readonly #before: (index: number) => Promise<void> | void;

  /** @param before is awaited before a row is given */
  constructor(rows: Iterable<Row>, before: (index: number) => Promise<void> | void = () => undefined) {
    this.#rows = rows[Symbol.iterator]();
    this.#before = before;
  }

  [Symbol.asyncIterator](): AsyncIterator<Row> {
    return {
      next: async () => {
        await this.#before(this.pulled);
        this.pulled++;
        return this.#rows.next();
      },
      return: () => {
        this.isReturned = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }
}

export function* states(count: number): Generator<string> {
  for (let i = 0; i < count; i++) yield stateOf(i);
}

export async function collected(results: AsyncIterable<ManyResult>): Promise<ManyResult[]> {
  const all: ManyResult[] = [];
  for await (const result of results) all.push(result);
  return all;
}

/** `ReadableStream.from`, which Node has, and the types of pages do not. */
export function webStream<T>(values: Iterable<T> | AsyncIterable<T>): ReadableStream<T> {
  return (ReadableStream as unknown as { from(values: Iterable<T> | AsyncIterable<T>): ReadableStream<T> }).from(values);
}
