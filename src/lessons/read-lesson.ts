import type { Taught } from "../decide/taught.ts";
import type { Lesson } from "./lesson.ts";

export interface LearnedLesson {
  readonly lesson: Lesson;
  /** `questionKey` of its question. */
  readonly key: string;
  readonly taught: Taught;
}

export function readLesson(value: unknown): Promise<LearnedLesson> {
  return Promise.reject(new Error(`not there yet: ${String(value)}`));
}
