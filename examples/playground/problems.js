// @ts-check
// Shows errors: once in total, and at each field concerned.
import { byId, find, make } from "./dom.js";
import { QUESTION_KINDS } from "./question-kinds.js";
import { cardAt } from "./questions.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Place} Place */
/** @typedef {import("./draft.js").Problem} Problem */
/** @typedef {{ code?: string, message: string, retryable?: boolean, issues?: readonly import("./index.browser.js").Issue[] }} Failure */

const alertBox = byId("alert");
let problemCount = 0;

/**
 * @param {Failure} failure
 * @param {readonly Problem[]} problems
 */
export function showFailure({ code, message, retryable = false }, problems) {
  clearFailure();
  const head = make("p", { class: "alert-head" });
  if (code !== undefined) head.append(make("code", { text: code }), " ");
  head.append(message);
  alertBox.append(head);
  if (retryable) alertBox.append(make("p", { text: "It may work if you try again." }));
  const list = make("ul");
  for (const { place, message: what } of problems) {
    const field = fieldAt(place);
    mark(field, what);
    const link = make("button", { class: "link", text: nameOf(place) });
    link.addEventListener("click", () => field.focus());
    list.append(make("li", {}, link, make("span", { text: what })));
  }
  if (problems.length > 0) alertBox.append(list);
  alertBox.hidden = false;
}

export function clearFailure() {
  alertBox.hidden = true;
  alertBox.replaceChildren();
  for (const field of document.querySelectorAll("[aria-invalid]")) unmark(field);
}

/**
 * Assigns the issues of a DecideError to the fields of the page.
 * @param {Failure} failure
 * @param {Draft} draft
 * @returns {Problem[]}
 */
export function problemsOf({ issues = [] }, draft) {
  return issues.map(({ loc, msg }) => ({ place: placeOf(loc, draft), message: `${msg.charAt(0).toUpperCase()}${msg.slice(1)}.` }));
}

/**
 * @param {readonly (string | number)[]} loc
 * @param {Draft} draft
 * @returns {Place}
 */
function placeOf([, part, id, field, key], draft) {
  const question = draft.questions.findIndex((candidate) => candidate.id === id);
  const asked = draft.questions[question];
  if (part !== "questions") return { field: "text" };
  if (asked === undefined) return { field: "questions" };
  if (field === "instructions") return { question, field };
  if (field !== "criteria") return { question, field: "id" };
  if (key === undefined) return { question, field };
  return { question, field, row: QUESTION_KINDS[asked.type].rowAt(String(key), asked) };
}

/** @param {Place} place */
function fieldAt({ question, field, row = 0 }) {
  if (question === undefined) return field === "text" ? byId("text") : find(byId("add-question"), "button");
  const card = /** @type {HTMLElement} */ (cardAt(question));
  if (field !== "criteria") return find(card, `[data-field="${field}"]`);
  const rows = card.querySelectorAll("[data-list] > li, .yes-no > *");
  return find(/** @type {HTMLElement} */ (rows[row] ?? card), "input");
}

/** @param {Place} place */
function nameOf({ question, field, row }) {
  if (question === undefined) return field === "text" ? "Text" : "Questions";
  const type = /** @type {import("./draft.js").QuestionType} */ (cardAt(question)?.dataset.type);
  const part = {
    id: "name",
    instructions: "text",
    criteria: row === undefined ? "answers" : QUESTION_KINDS[type].rowName(row),
    text: "",
    questions: "",
  }[field];
  return `Question ${question + 1}, ${part}`;
}

/**
 * @param {HTMLElement} field
 * @param {string} what
 */
function mark(field, what) {
  if (field.tagName === "BUTTON") return;
  const note = make("p", { class: "field-problem", text: what });
  note.id = `problem-${++problemCount}`;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", note.id);
  (field.closest(".field, li") ?? field).append(note);
  field.addEventListener("input", () => unmark(field), { once: true });
}

/** @param {Element} field */
function unmark(field) {
  const note = document.getElementById(field.getAttribute("aria-describedby") ?? "");
  note?.remove();
  field.removeAttribute("aria-invalid");
  field.removeAttribute("aria-describedby");
}
