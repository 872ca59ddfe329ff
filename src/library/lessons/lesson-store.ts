import type { ParsedQuestion } from "../decide/request.ts";
import type { AppliedLesson } from "../decide/decide.ts";
import type { LessonSummary } from "./lesson.ts";
import type { LoadedLesson } from "./read-lesson.ts";

/** The lessons that answer, by model and question. They are learned one after the other, those of a decider's options first. */
export class LessonStore {
  readonly #load: (lesson: unknown) => Promise<LoadedLesson>;
  readonly #given: unknown[];
  /** By the URL of the model's pack and the question's key. */
  readonly #lessons = new Map<string, LoadedLesson>();
  /** Settles when those before it are learned. It never rejects. */
  #before: Promise<unknown> = Promise.resolve();

  /** @param given those of the options that have yet to be learned: one that is learned is taken out */
  constructor(given: unknown[], load: (lesson: unknown) => Promise<LoadedLesson>) {
    this.#given = given;
    this.#load = load;
  }

  /**
   * Learns what is left of the options' lessons, then these. However long one takes, the next is learned after it: of two lessons for one question, the one that
   * came last answers.
   * @throws what loading one throws, also of the options, where it is tried again by the next call.
   */
  learn(...lessons: readonly unknown[]): Promise<void> {
    const learned = this.#before.then(async () => {
      for (; this.#given.length > 0; this.#given.shift()) await this.#add(this.#given[0]);
      for (const lesson of lessons) await this.#add(lesson);
    });
    this.#before = learned.catch(() => undefined);
    return learned;
  }

  /** The lesson of a pack's model about a question. */
  of(packUrl: string, question: ParsedQuestion): AppliedLesson | undefined {
    return this.#lessons.size === 0 ? undefined : this.#lessons.get(placeOf(packUrl, question))?.taught;
  }

  /** @returns whether there was such a lesson. */
  forget(id: string): boolean {
    const places = [...this.#lessons].filter(([, { lesson }]) => lesson.id === id).map(([place]) => place);
    return places.map((place) => this.#lessons.delete(place)).includes(true);
  }

  /** In the order in which they were learned. */
  list(): LessonSummary[] {
    return [...this.#lessons.values()].map(({ lesson: { id, kind, model, question } }) => ({
      id,
      ...(kind && { kind }),
      model: model.id,
      question,
    }));
  }

  async #add(lesson: unknown): Promise<void> {
    const loaded = await this.#load(lesson);
    const place = placeOf(loaded.packUrl, loaded.question);
    // It comes last, also in place of another.
    this.#lessons.delete(place);
    this.#lessons.set(place, loaded);
  }
}

/**
 * Tells a question of a model from all others, by type, instructions, and criteria. The order of a choice's options does not matter, that of a score's levels is
 * its scale.
 */
function placeOf(packUrl: string, { type, instructions, criteria }: ParsedQuestion): string {
  const texts = criteria.map(({ key, description }) => JSON.stringify([key, description]));
  return JSON.stringify([packUrl, type, instructions, ...(type === "score" ? texts : texts.toSorted())]);
}
