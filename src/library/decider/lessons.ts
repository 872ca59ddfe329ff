import { abortable } from "../async/signals.ts";
import type { LearnedLessons } from "../lessons/index.ts";
import type { FindModel } from "../lessons/learned-lessons.ts";
import { loadLessons } from "./on-demand.ts";

/** What a decider was taught. Lessons are learned one after the other, those of its options first. */
export class Lessons {
  readonly #findModel: FindModel;
  /** Those of the options that have yet to be learned. */
  readonly #given: unknown[];
  #learned: LearnedLessons | undefined;
  /** Settles when those before it are learned. It never rejects. */
  #before: Promise<unknown> = Promise.resolve();

  /** @param given those of the options: they are learned when they are first needed */
  constructor(given: readonly unknown[], findModel: FindModel) {
    this.#given = [...given];
    this.#findModel = findModel;
  }

  /** Undefined if none were learned yet. */
  get learned(): LearnedLessons | undefined {
    return this.#learned;
  }

  /** Learns the lessons of the options. What fails is tried again by the next call. */
  async learnGiven(signal: AbortSignal | undefined): Promise<void> {
    if (this.#given.length > 0) await abortable(this.#next(), signal);
  }

  /** @throws {DecideError} as `LearnedLessons`, also for a lesson of the options. */
  learn(lesson: unknown): Promise<void> {
    return this.#next(lesson);
  }

  /** However long one takes, the next is learned after it: of two lessons for one question, the one that came last answers. */
  #next(...more: readonly unknown[]): Promise<void> {
    const learned = this.#before.then(async () => {
      const { LearnedLessons } = await loadLessons();
      this.#learned ??= new LearnedLessons(this.#findModel);
      for (; this.#given.length > 0; this.#given.shift()) await this.#learned.learn(this.#given[0]);
      for (const lesson of more) await this.#learned.learn(lesson);
    });
    this.#before = learned.catch(() => undefined);
    return learned;
  }
}
