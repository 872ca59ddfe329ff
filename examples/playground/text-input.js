// @ts-check
// The text input: typed, pasted, dropped or opened as a file.
import { announce, byId, reportEdit } from "./dom.js";
import { dataOf } from "./draft.js";
import { readTextFile } from "./text-file.js";

/** The model reads at most 16,384 tokens, about 80,000 characters. A larger file would only slow down the page before it is rejected. */
const MAX_FILE_BYTES = 1_000_000;

const field = /** @type {HTMLTextAreaElement} */ (byId("text"));
const count = byId("text-count");
const dataChoice = byId("data-choice");
const isDataBox = /** @type {HTMLInputElement} */ (byId("is-data"));
const filePicker = /** @type {HTMLInputElement} */ (byId("file"));

/** @typedef {(file: { name: string, text: string }) => void} OnFile */

/**
 * @param {OnFile} onFile
 * @param {(message: string) => void} onRefused
 */
export function wireText(onFile, onRefused) {
  const open = (/** @type {File | undefined} */ file) => {
    if (file === undefined) return;
    const advice = "The model reads texts of up to about 80,000 characters.";
    void readTextFile(file, MAX_FILE_BYTES, advice).then(onFile, (error) => onRefused(error.message));
  };
  field.addEventListener("input", describeText);
  byId("open-file").addEventListener("click", () => filePicker.click());
  filePicker.addEventListener("change", () => {
    open(filePicker.files?.[0]);
    // Allows choosing the same file again.
    filePicker.value = "";
  });
  wireDrop(open);
}

export function readText() {
  return { text: field.value, isData: isDataBox.checked && !dataChoice.hidden };
}

/** @param {{ text: string, isData: boolean }} value */
export function showText({ text, isData }) {
  field.value = text;
  field.scrollTop = 0;
  isDataBox.checked = isData;
  describeText();
  reportEdit(field);
}

/** Shows the text's length, and offers to send it as data if it is JSON. */
function describeText() {
  const characters = field.value.length;
  count.textContent = `${characters.toLocaleString("en")} ${characters === 1 ? "character" : "characters"}`;
  dataChoice.hidden = dataOf(field.value) === undefined;
}

/** @param {(file: File | undefined) => void} open */
function wireDrop(open) {
  let depth = 0;
  const show = (/** @type {boolean} */ isOver) => byId("drop-hint").classList.toggle("visible", isOver);
  const holdsFile = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragenter", (event) => holdsFile(event) && show(++depth > 0));
  addEventListener("dragleave", (event) => holdsFile(event) && show(--depth > 0));
  // The whole page accepts files. Otherwise a file dropped outside the field would replace the page.
  addEventListener("dragover", (event) => holdsFile(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!holdsFile(event)) return;
    const isTaken = event.defaultPrevented;
    event.preventDefault();
    depth = 0;
    show(false);
    if (!isTaken) open(event.dataTransfer?.files[0]);
  });
}
