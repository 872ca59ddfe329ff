export type { QuestionReader } from "./question-reader.ts";
export { readLesson } from "./read-lesson.ts";
export type { LearnedLesson } from "./read-lesson.ts";
export { teach } from "./teach.ts";
