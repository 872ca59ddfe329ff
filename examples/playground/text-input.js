// @ts-check
// The text that is judged: typed, pasted, dropped or opened as a file.
import { announce, byId, reportEdit } from "./dom.js";
import { dataOf } from "./draft.js";

/** The model reads 16,384 tokens at most, about 80,000 characters: a larger file would only make the page slow before it is refused. */
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
  const open = (/** @type {File | undefined} */ file) => file && void readFile(file).then(onFile, (error) => onRefused(error.message));
  field.addEventListener("input", describeText);
  byId("open-file").addEventListener("click", () => filePicker.click());
  filePicker.addEventListener("change", () => {
    open(filePicker.files?.[0]);
    // So that the same file can be chosen again.
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

/** How long it is, and whether it is something that could also be sent as data. */
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
  // The whole page takes files: one that misses the field would otherwise replace the page.
  addEventListener("dragover", (event) => holdsFile(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    open(event.dataTransfer?.files[0]);
  });
}

/**
 * @param {File} file
 * @throws {Error} in words for a person
 */
async function readFile(file) {
  if (file.size > MAX_FILE_BYTES) throw new Error(`${file.name} is too large: the model reads texts of up to about 80,000 characters.`);
  const bytes = await file.arrayBuffer();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll("\r\n", "\n");
    if (text.includes("\0")) throw new TypeError("binary");
    announce(`${file.name} opened.`);
    return { name: file.name, text };
  } catch {
    throw new Error(`${file.name} is not a plain text file. Text, Markdown, CSV and JSON files in UTF-8 can be read.`);
  }
}
