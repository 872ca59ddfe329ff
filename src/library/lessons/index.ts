export { loadLesson } from "./read-lesson.ts";
export { teach } from "./teach.ts";
