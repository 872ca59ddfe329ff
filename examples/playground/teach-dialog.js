// @ts-check
// The dialog in which a question is taught: its examples, the progress of teaching, and the report.
import { barOf } from "./bar.js";
import { byId, find, make } from "./dom.js";
import { toQuestion } from "./draft.js";
import { lessonIn, saveLesson } from "./lesson-file.js";
import { reportViews, verdictOf } from "./lesson-report.js";
import { answersOf, answerWords, readExamples } from "./read-examples.js";
import { percent } from "./sureness.js";
import {
  addExamples,
  examplesOf,
  isKeptForReload,
  keepLesson,
  keyOf,
  lessonOf,
  MIN_EXAMPLES,
  removeExample,
  replaceExamples,
  whenTaught,
} from "./taught.js";
import { readTextFile } from "./text-file.js";

/** @typedef {import("./draft.js").QuestionDraft} QuestionDraft */
/** @typedef {import("./index.browser.js").Lesson} Lesson */
/** @typedef {import("./taught.js").Example} Example */
/** @typedef {import("./index.browser.js").TeachProgress} TeachProgress */
/**
 * @typedef {object} Teacher
 * @property {(question: unknown, examples: readonly Example[], options: import("./index.browser.js").TeachOptions) => Promise<Lesson>} teach
 * @property {(lesson: Lesson) => Promise<void>} learn
 * @property {(lesson: Lesson) => void} forget
 * @property {(lesson: Lesson) => void} openLesson a file that was opened here holds a lesson
 * @property {() => void} onAnswersChange what answers questions is different now
 */

/** 100,000 texts of a few sentences. */
const MAX_FILE_BYTES = 50_000_000;

const dialog = /** @type {HTMLDialogElement} */ (byId("teach"));
const paste = /** @type {HTMLTextAreaElement} */ (byId("paste"));
const addButton = /** @type {HTMLButtonElement} */ (byId("add-pasted"));
const filePicker = /** @type {HTMLInputElement} */ (byId("examples-file"));
const startButton = /** @type {HTMLButtonElement} */ (byId("teach-start"));
const progress = byId("teach-progress");
const bar = /** @type {HTMLProgressElement} */ (find(progress, "progress"));
const outcome = byId("teach-outcome");

/** @type {Teacher} */
let teacher;
/** The question that is open. */
let question = toQuestion({ type: "noul", id: "", idIsAuto: true, instructions: "", options: [], yes: "", no: "", levels: [] });
let key = "";
/** @type {Lesson | undefined} the lesson on show */
let shown;
/** @type {WeakMap<Lesson, readonly Example[]>} the examples of each lesson, in the order in which they were taught */
const taughtWith = new WeakMap();
/** @type {AbortController | undefined} */
let teaching;

/** @param {Teacher} given */
export function wireTeachDialog(given) {
  teacher = given;
  paste.addEventListener("input", describePaste);
  addButton.addEventListener("click", addPasted);
  byId("open-examples").addEventListener("click", () => filePicker.click());
  filePicker.addEventListener("change", () => {
    void openFile(filePicker.files?.[0]);
    // Allows choosing the same file again.
    filePicker.value = "";
  });
  // A file that is dropped while the dialog is open is meant for it.
  dialog.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    void openFile(event.dataTransfer.files[0]);
  });
  byId("remove-examples").addEventListener("click", removeAll);
  startButton.addEventListener("click", () => void teach());
  byId("teach-cancel").addEventListener("click", () => teaching?.abort());
  byId("download-lesson").addEventListener("click", () => {
    if (shown === undefined) return;
    saveLesson(shown);
    say("lesson.json is saved. Drop it on this page to use it again, or give it to the library or the command line.");
  });
  byId("forget-lesson").addEventListener("click", forget);
  // The Escape key closes it, too.
  byId("teach-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    teaching?.abort();
    // New answers may have taken away the button that opened the dialog.
    if (document.activeElement === document.body) byId("results").focus();
  });
  whenTaught(() => dialog.open && describe());
}

/** @param {QuestionDraft} draft a whole question */
export function openTeachDialog(draft) {
  question = toQuestion(draft);
  key = keyOf(question);
  byId("teach-question").textContent = draft.instructions || [draft.yes, draft.no].filter(Boolean).join(" · ");
  paste.value = "";
  paste.placeholder = answersOf(question)
    .slice(0, 2)
    .map((answer, i) => `${["The first text", "Another text"][i]}\t${answerWords(String(answer), question)}`)
    .join("\n");
  say("");
  describePaste();
  describe();
  showReport(lessonOf(key));
  dialog.showModal();
  dialog.scrollTop = 0;
}

/** Shows how many examples there are, and what is still missing. */
function describe() {
  const examples = examplesOf(key);
  const answered = examples.filter(({ answer }) => answer !== null).length;
  byId("example-counts").replaceChildren(...(answered === 0 ? [] : answersOf(question).map((answer) => countView(answer, examples))));
  const without = examples.length - answered;
  const notes = [
    without > 0 && `${without.toLocaleString("en")} more without an answer.`,
    !isKeptForReload() && "There are too many to be kept when the page is reloaded.",
  ].filter((note) => note !== false);
  byId("examples-note").textContent = notes.join(" ");
  byId("examples-note").hidden = notes.length === 0;
  byId("remove-examples").hidden = examples.length === 0;
  const missing = MIN_EXAMPLES - answered;
  startButton.disabled = missing > 0 || teaching !== undefined;
  byId("teach-needs").textContent =
    missing <= 0
      ? `${answered.toLocaleString("en")} examples.`
      : answered === 0
        ? `${MIN_EXAMPLES} examples are needed.`
        : `${missing} more ${missing === 1 ? "example is" : "examples are"} needed: ${answered} of at least ${MIN_EXAMPLES}.`;
}

/**
 * @param {Example["answer"]} answer
 * @param {readonly Example[]} examples
 */
function countView(answer, examples) {
  const count = examples.filter((example) => example.answer === answer).length;
  return barOf({ label: answerWords(String(answer), question), share: count / examples.length, words: count.toLocaleString("en") });
}

/** Says while somebody types what would be added. */
function describePaste() {
  const { examples, badLines } = readExamples(paste.value, question);
  const [first] = badLines;
  const count = examples.length.toLocaleString("en");
  addButton.disabled = examples.length === 0 || first !== undefined;
  addButton.textContent = addButton.disabled ? "Add examples" : `Add ${count} ${examples.length === 1 ? "example" : "examples"}`;
  const others = badLines.length > 1 ? ` ${badLines.length - 1} more ${badLines.length === 2 ? "line has" : "lines have"} a problem.` : "";
  const note = byId("paste-note");
  note.className = first === undefined ? "note" : "field-problem";
  note.textContent =
    first === undefined ? "" : `Line ${first.line}: ${first.message}${others} ${examples.length === 0 ? "None" : count} can be read.`;
  if (first === undefined) paste.removeAttribute("aria-invalid");
  else paste.setAttribute("aria-invalid", "true");
}

function addPasted() {
  const { examples } = readExamples(paste.value, question);
  const replaced = addExamples(key, examples);
  paste.value = "";
  describePaste();
  const again = replaced === 0 ? "" : ` ${replaced} took the place of ${replaced === 1 ? "one" : "others"} with the same text.`;
  byId("paste-note").textContent =
    `${examples.length.toLocaleString("en")} ${examples.length === 1 ? "example" : "examples"} added.${again}`;
  (startButton.disabled ? paste : startButton).focus();
}

/** @param {File | undefined} file with examples, or a lesson */
async function openFile(file) {
  if (file === undefined) return;
  try {
    const { text } = await readTextFile(file, MAX_FILE_BYTES, "Teach with a part of it.");
    const lesson = lessonIn(text);
    if (lesson !== undefined) {
      dialog.close();
      teacher.openLesson(lesson);
      return;
    }
    paste.value = text;
    describePaste();
    (addButton.disabled ? paste : addButton).focus();
  } catch (error) {
    say(/** @type {Error} */ (error).message, "problem");
  }
}

function removeAll() {
  const before = examplesOf(key);
  replaceExamples(key, []);
  const undo = make("button", { class: "link", text: "Undo" });
  undo.addEventListener("click", () => {
    replaceExamples(key, before);
    byId("paste-note").textContent = "They are back.";
    paste.focus();
  });
  const count = before.length.toLocaleString("en");
  byId("paste-note").replaceChildren(`${count} ${before.length === 1 ? "example" : "examples"} removed. `, undo);
  undo.focus();
}

async function teach() {
  const call = new AbortController();
  const examples = examplesOf(key);
  teaching = call;
  progress.hidden = false;
  byId("teach-cancel").hidden = false;
  progress.scrollIntoView({ block: "nearest" });
  byId("teach-cancel").focus();
  startButton.disabled = true;
  say("");
  showProgress({ stage: "reading", done: 0 }, examples.length);
  try {
    const lesson = await teacher.teach(question, examples, {
      signal: call.signal,
      onProgress: (now) => teaching === call && showProgress(now, examples.length),
    });
    await teacher.learn(lesson);
    call.signal.throwIfAborted();
    keepLesson(key, lesson);
    say(`Taught. ${verdictOf(lesson.report)}`, "hidden");
    taughtWith.set(lesson, examples);
    showReport(lesson);
    byId("report").focus();
    teacher.onAnswersChange();
  } catch (error) {
    if (call.signal.aborted) say("Cancelled. Nothing was learned, and the examples are still there.");
    else say(/** @type {Error} */ (error).message, "problem");
  } finally {
    const hadFocus = document.activeElement === byId("teach-cancel");
    teaching = undefined;
    progress.hidden = true;
    byId("teach-cancel").hidden = true;
    describe();
    if (hadFocus) startButton.focus();
  }
}

/**
 * @param {TeachProgress} now
 * @param {number} count
 */
function showProgress({ stage, done }, count) {
  const isReading = stage === "reading";
  byId("teach-words").textContent = !isReading
    ? `Learning: ${percent(done)}`
    : done === 0
      ? "Starting the model …"
      : `Reading: example ${done.toLocaleString("en")} of ${count.toLocaleString("en")}`;
  // Without a value the bar only shows that something is happening.
  if (isReading && done === 0) bar.removeAttribute("value");
  else bar.value = isReading ? done / count : done;
}

function forget() {
  if (shown === undefined) return;
  teacher.forget(shown);
  keepLesson(key, undefined);
  showReport(undefined);
  say("Forgotten. The model answers by itself again, and the examples are still there.");
  (startButton.disabled ? paste : startButton).focus();
  teacher.onAnswersChange();
}

/** @param {Lesson | undefined} lesson */
function showReport(lesson) {
  shown = lesson;
  byId("report").replaceChildren(...(lesson === undefined ? [] : reportViews(lesson, taughtWith.get(lesson) ?? [], correct)));
  byId("download-lesson").hidden = lesson === undefined;
  byId("forget-lesson").hidden = lesson === undefined;
}

/**
 * @param {Example} example
 * @param {Example["answer"] | undefined} answer the right one; undefined: the example goes
 */
function correct({ state }, answer) {
  if (answer === undefined) removeExample(key, state);
  else addExamples(key, [{ state, answer }]);
  say(`The example is ${answer === undefined ? "removed" : "corrected"}. Teach again to learn from that.`);
}

/**
 * @param {string} text
 * @param {"" | "problem" | "hidden"} kind hidden: for screen readers, because the report shows it, too
 */
function say(text, kind = "") {
  outcome.textContent = text;
  outcome.className = { "": "", problem: "field-problem", hidden: "visually-hidden" }[kind];
}
