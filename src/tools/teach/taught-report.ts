import type { Lesson, LessonReport } from "../../library/lessons/lesson.ts";

/** What is remembered of an example. */
export interface Seen {
  /** Number of the line where it starts, from 1. */
  readonly line: number;
  /** Its answer, by the key of the lesson's criteria. */
  readonly stated: string;
}

/** What is printed of a lesson. */
export interface TaughtReport extends Omit<LessonReport, "suspicious"> {
  /** Where the examples came from, and where the lesson is. */
  readonly file: string;
  readonly out: string;
  readonly lesson: string;
  readonly model: string;
  readonly device: string;
  readonly precision: string;
  readonly examples: Lesson["examples"];
  readonly suspicious: readonly (LessonReport["suspicious"][number] & Partial<Seen>)[];
}
