export { LessonStore } from "./lesson-store.ts";
export { loadLesson } from "./read-lesson.ts";
export { readExample } from "./read-examples.ts";
export { calibrate, teach } from "./teach.ts";
