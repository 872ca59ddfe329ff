// @ts-check
// The form for one question, in a dialog. What is wrong is said at its field.
import { byId } from "./elements.js";
import { checkDraft, toDraft } from "./questions.js";

/** @import { Draft, Mistakes, PageQuestion } from "./questions.js" */

/** What the large field is for, by the kind of answer; yes or no needs none. */
const LINES = {
  choice: {
    label: "Answers, one a line",
    hint: "The model reads the words. Where they are not plain enough, say what they mean after a colon: login form: a form to log in with a password",
  },
  score: { label: "Levels, one a line, the lowest first", hint: "Two to ten, such as: calm, annoyed, furious" },
};

const editor = /** @type {HTMLDialogElement} */ (byId("editor"));
const form = /** @type {HTMLFormElement} */ (byId("form"));
const type = field("type");

type.addEventListener("change", fitType);
byId("cancel").addEventListener("click", () => editor.close());

/**
 * Lets the user write a question.
 * @param {PageQuestion | undefined} question the one to change; none for a new one
 * @returns {Promise<PageQuestion | undefined>} undefined when the user thinks better of it
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
  const { label, hint } = type.value === "score" ? LINES.score : LINES.choice;
  byId("lines-field").hidden = type.value === "noul";
  byId("lines-label").textContent = label;
  byId("lines-hint").textContent = hint;
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
