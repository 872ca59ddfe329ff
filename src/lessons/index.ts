export { LearnedLessons } from "./learned-lessons.ts";
export { teach } from "./teach.ts";
export type { QuestionReader } from "./teach.ts";
