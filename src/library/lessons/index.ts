export { loadLesson } from "./read-lesson.ts";
export { readExample } from "./read-examples.ts";
export { calibrate, teach } from "./teach.ts";
