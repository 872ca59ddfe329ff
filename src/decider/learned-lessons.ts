import type { ParsedQuestion } from "../decide/request.ts";
import { questionKey } from "../decide/taught.ts";
import type { Taught } from "../decide/taught.ts";
import type { LearnedLesson } from "../lessons/index.ts";
import type { LessonSummary } from "./decider.ts";

/** The lessons that answer, by model and question. */
export class LearnedLessons {
  /** By the URL of the model's pack, then by the question's key. */
  readonly #byPack = new Map<string, Map<string, LearnedLesson>>();

  /** A lesson for the same question gives way. */
  add(packUrl: string, learned: LearnedLesson): void {
    const lessons = this.#byPack.get(packUrl) ?? new Map<string, LearnedLesson>();
    // It comes last, also in place of another.
    lessons.delete(learned.key);
    lessons.set(learned.key, learned);
    this.#byPack.set(packUrl, lessons);
  }

  of(packUrl: string, question: ParsedQuestion): Taught | undefined {
    const lessons = this.#byPack.get(packUrl);
    return lessons && lessons.size > 0 ? lessons.get(questionKey(question))?.taught : undefined;
  }

  /** @returns whether there was such a lesson. */
  forget(id: string): boolean {
    const held = [...this.#byPack.values()].flatMap((lessons) => [...lessons].map(([key, { lesson }]) => ({ lessons, key, lesson })));
    const found = held.filter(({ lesson }) => lesson.id === id);
    for (const { lessons, key } of found) lessons.delete(key);
    return found.length > 0;
  }

  list(): LessonSummary[] {
    return [...this.#byPack.values()].flatMap((lessons) =>
      [...lessons.values()].map(({ lesson: { id, model, question } }) => ({ id, model: model.id, question })),
    );
  }
}
