// @ts-check
// The form for one question, in a dialog. Each mistake is shown at its field.
import { byId } from "./elements.js";
import { QUESTION_KINDS } from "./question-kinds.js";
import { checkDraft, toDraft } from "./questions.js";

/** @import { PageQuestion } from "./question-kinds.js" */
/** @import { Draft, Mistakes } from "./questions.js" */

const editor = /** @type {HTMLDialogElement} */ (byId("editor"));
const form = /** @type {HTMLFormElement} */ (byId("form"));
const type = field("type");

type.addEventListener("change", fitType);
byId("cancel").addEventListener("click", () => editor.close());

/**
 * Lets the user write or change a question.
 * @param {PageQuestion | undefined} question the question to change; undefined for a new one
 * @returns {Promise<PageQuestion | undefined>} undefined if the user cancels
 */
export function editQuestion(question) {
  byId("editor-title").textContent = question === undefined ? "New question" : "Change the question";
  /** @type {Draft} */
  const draft = question === undefined ? { about: "page", type: "choice", instructions: "", lines: "" } : toDraft(question);
  for (const name of /** @type {const} */ (["about", "type", "instructions", "lines"])) field(name).value = draft[name];
  fitType();
  showMistakes({});
  editor.showModal();
  field("instructions").focus();
  return new Promise((resolve) => {
    /** @type {PageQuestion | undefined} */
    let written;
    const stop = new AbortController();
    form.addEventListener(
      "submit",
      (event) => {
        const checked = checkDraft(draftOfForm());
        if ("question" in checked) written = checked.question;
        else {
          event.preventDefault();
          showMistakes(checked.mistakes);
        }
      },
      { signal: stop.signal },
    );
    editor.addEventListener(
      "close",
      () => {
        stop.abort();
        resolve(written);
      },
      { signal: stop.signal },
    );
  });
}

/** @returns {Draft} */
function draftOfForm() {
  return { about: field("about").value, type: type.value, instructions: field("instructions").value, lines: field("lines").value };
}

function fitType() {
  const { lines } = QUESTION_KINDS[/** @type {PageQuestion["type"]} */ (type.value)];
  byId("lines-field").hidden = lines === undefined;
  byId("lines-label").textContent = lines?.label ?? "";
  byId("lines-hint").textContent = lines?.hint ?? "";
}

/** @param {Mistakes} mistakes */
function showMistakes(mistakes) {
  const names = /** @type {const} */ (["instructions", "lines"]);
  for (const name of names) {
    byId(`${name}-mistake`).textContent = mistakes[name] ?? "";
    field(name).setAttribute("aria-invalid", String(mistakes[name] !== undefined));
  }
  const first = names.find((name) => mistakes[name] !== undefined);
  if (first !== undefined) field(first).focus();
}

/** @param {keyof Draft} name */
function field(name) {
  return /** @type {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} */ (byId(name));
}
