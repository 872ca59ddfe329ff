// @ts-check
// Lessons as files.

/** @typedef {import("./index.browser.js").Lesson} Lesson */

/** @param {Lesson} lesson */
export function saveLesson(lesson) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(lesson)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "lesson.json";
  link.click();
  URL.revokeObjectURL(url);
}

/**
 * @param {string} text of a file
 * @returns {Lesson | undefined} undefined for any other file. Whether the lesson is whole shows when it is learned.
 */
export function lessonIn(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && "umpire_lesson" in value ? value : undefined;
  } catch {
    return undefined;
  }
}
