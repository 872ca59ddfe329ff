// @ts-check
// The list of the user's questions. Every change is saved at once.
import { byId, make } from "./elements.js";
import { editQuestion } from "./question-form.js";
import { loadQuestions, restoreDefaultQuestions, saveQuestions } from "./question-store.js";
import { QUESTION_KINDS } from "./question-kinds.js";
import { MAX_QUESTIONS } from "./questions.js";

/** @import { PageQuestion } from "./question-kinds.js" */

/** @type {readonly PageQuestion[]} */
let questions = [];

byId("add").addEventListener("click", () => void add());
byId("restore").addEventListener("click", () => restoring().showModal());
restoring().addEventListener("close", () => void (restoring().returnValue === "restore" && restore()));
void show();

async function show() {
  questions = await loadQuestions();
  byId("list").replaceChildren(...questions.map(row));
  /** @type {HTMLButtonElement} */ (byId("add")).disabled = questions.length >= MAX_QUESTIONS;
}

/** @type {(question: PageQuestion, place: number) => HTMLElement} */
function row(question, place) {
  const edit = named("Edit", question, () => void change(place));
  const remove = named("Remove", question, () => void removeAt(place));
  return make("li", {}, [
    make("h2", { text: question.instructions }),
    make("p", { className: "quiet", text: summary(question) }),
    make("div", {}, [edit, remove]),
  ]);
}

/** Makes a button whose accessible name includes its question. @type {(label: string, question: PageQuestion, act: () => void) => Element} */
function named(label, question, act) {
  const button = make("button", { text: label });
  button.type = "button";
  button.setAttribute("aria-label", `${label}: ${question.instructions}`);
  button.addEventListener("click", act);
  return button;
}

/** @param {PageQuestion} question */
function summary(question) {
  const { about, type } = question;
  const { title, answersOf } = QUESTION_KINDS[type];
  const answers = answersOf(question);
  const of = about === "page" ? "About the page" : "About the selected text";
  return `${of}: ${title}${answers.length > 0 ? ` ${answers.join(", ")}` : ""}`;
}

async function add() {
  const question = await editQuestion(undefined);
  if (question !== undefined) await keep([...questions, question], "Added.");
}

/** @param {number} place */
async function change(place) {
  const question = await editQuestion(questions[place]);
  if (question !== undefined) await keep(questions.with(place, question), "Changed.");
}

/** @param {number} place */
async function removeAt(place) {
  await keep(questions.toSpliced(place, 1), "Removed.");
  // The button that had the focus no longer exists.
  byId("add").focus();
}

/** @type {(changed: readonly PageQuestion[], done: string) => Promise<void>} */
async function keep(changed, done) {
  await saveQuestions(changed);
  await show();
  byId("status").textContent = done;
}

async function restore() {
  await restoreDefaultQuestions();
  await show();
  byId("status").textContent = "These are the default questions.";
}

function restoring() {
  return /** @type {HTMLDialogElement} */ (byId("restoring"));
}
