export { LearnedLessons } from "./learned-lessons.ts";
export type { QuestionReader } from "./question-reader.ts";
export { teach } from "./teach.ts";
