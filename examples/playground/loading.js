// @ts-check
// Shows the progress of loading the model's files.
import { announce, byId, find } from "./dom.js";

/** @typedef {import("./index.browser.js").Progress} Progress */

/** The files' approximate total size. They are announced one by one, so without it the bar would be full after the first. */
const USUAL_BYTES = 38_000_000;

const box = byId("loading");
const bar = /** @type {HTMLProgressElement} */ (find(box, "progress"));
const words = find(box, "p");

/** @type {Map<string, Progress>} */
const files = new Map();
let quartersSaid = 0;

export function startLoading() {
  files.clear();
  quartersSaid = 0;
  bar.removeAttribute("value");
  words.textContent = "Starting the model …";
  box.hidden = false;
  announce("Loading the model.");
}

/** @param {Progress} progress */
export function showLoading(progress) {
  files.set(progress.file, progress);
  const all = [...files.values()];
  const loaded = all.reduce((sum, { loadedBytes }) => sum + loadedBytes, 0);
  const known = all.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
  const total = Math.max(known, USUAL_BYTES);
  const isThere = loaded === known;
  words.textContent = isThere ? "Starting the model …" : `Loading the model: ${megabytes(loaded)} of ${megabytes(total)} MB`;
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
