import type { LessonPlaces } from "../input/lesson-flags.ts";
import type { Io } from "../io.ts";

/** Says on standard error if lessons were given and none of them answered. */
export function noteUnusedLessons({ stderr }: Pick<Io, "stderr">, { lessons }: LessonPlaces, taught: number): void {
  if (lessons === undefined || taught > 0) return;
  stderr.write("umpire: no lesson answered. A lesson answers a question that has its type, instructions and criteria, word for word.\n");
}
