// @ts-check
// Shows, where the answers will be, that they are under way: the progress of loading the model, and the answers' outlines.
import { headingOf } from "./answers.js";
import { announce, byId, find, make } from "./dom.js";

/** @typedef {import("./index.browser.js").Progress} Progress */
/** @typedef {import("./draft.js").QuestionDraft} QuestionDraft */

const box = byId("loading");
const bar = /** @type {HTMLProgressElement} */ (find(box, "progress"));
const words = find(box, "p");
const file = find(box, ".note");

/** @type {Map<string, Progress>} */
const files = new Map();
let quartersSaid = 0;

/** @param {readonly QuestionDraft[]} questions that are being asked */
export function startLoading(questions) {
  files.clear();
  quartersSaid = 0;
  bar.removeAttribute("value");
  words.textContent = "Starting the model …";
  file.textContent = "";
  byId("outlines").replaceChildren(...questions.map(outlineOf));
  box.hidden = false;
  announce("Loading the model.");
}

/**
 * @param {Progress} progress
 * @param {number} expectedBytes of all files. They are announced one by one, so without it the bar would be full after the first
 */
export function showLoading(progress, expectedBytes) {
  files.set(progress.file, progress);
  const all = [...files.values()];
  const loaded = all.reduce((sum, { loadedBytes }) => sum + loadedBytes, 0);
  const known = all.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
  const total = Math.max(known, expectedBytes);
  const isThere = loaded === known;
  words.textContent = isThere ? "Starting the model …" : `Loading the model: ${megabytes(loaded)} of ${megabytes(total)} MB`;
  const next = all.find(({ loadedBytes, totalBytes }) => loadedBytes < totalBytes);
  file.textContent = next === undefined ? "" : `${next.file}: ${megabytes(next.loadedBytes)} of ${megabytes(next.totalBytes)} MB`;
  // Without a value the bar only shows that something is happening.
  if (isThere) bar.removeAttribute("value");
  else bar.value = loaded / total;
  const quarters = Math.floor((4 * loaded) / total);
  if (quarters > quartersSaid && quarters < 4) announce(`${quarters * 25} percent of the model is there.`);
  quartersSaid = Math.max(quarters, quartersSaid);
}

export function endLoading() {
  box.hidden = true;
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return (bytes / 1_000_000).toFixed(1);
}

/** @param {QuestionDraft} question */
function outlineOf(question) {
  const rows = { choice: question.options.length, noul: 2, score: question.levels.length }[question.type];
  const bars = Array.from({ length: rows }, () => make("li", { class: "outline bar-outline" }));
  return make("div", { class: "waiting" }, headingOf(question), make("div", { class: "outline" }), make("ul", { class: "bars" }, ...bars));
}
