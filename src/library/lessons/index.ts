export { loadLesson } from "./read-lesson.ts";
export { calibrate, teach } from "./teach.ts";
