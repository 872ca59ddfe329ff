// @ts-check
// The list of questions and the buttons that add to it.
import { announce, byId, find, reportEdit } from "./dom.js";
import { emptyQuestion } from "./draft.js";
import { OrderedList } from "./ordered-list.js";
import { labelCard, makeCard, readCard, setAutoName } from "./question-card.js";
import { nameFor, unique } from "./question-names.js";
import { offerUndo } from "./undo.js";

/** @typedef {import("./draft.js").QuestionDraft} QuestionDraft */
/** @typedef {import("./draft.js").QuestionType} QuestionType */

const list = new OrderedList(byId("questions"), {
  noun: "Question",
  label: labelCard,
  whenEmpty: find(byId("add-question"), "button"),
  onCopy: copyQuestion,
  beforeRemove: (number) => {
    const before = readQuestions();
    return () => offerUndo(`Question ${number} removed.`, () => showQuestions(before));
  },
});

/** @param {(action: "check" | "teach", index: number) => void} onAction with the question at that place */
export function wireQuestions(onAction) {
  for (const button of byId("add-question").querySelectorAll("button")) {
    button.addEventListener("click", () => addQuestion(/** @type {QuestionType} */ (button.dataset.type)));
  }
  list.list.addEventListener("input", nameQuestions);
  list.list.addEventListener("click", ({ target }) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-question-action]"));
    const index = list.items.findIndex((card) => button !== null && card.contains(button));
    if (index >= 0) onAction(/** @type {"check" | "teach"} */ (button?.dataset.questionAction), index);
  });
}

/** @returns {QuestionDraft[]} */
export function readQuestions() {
  return list.items.map(readCard);
}

/** @param {readonly QuestionDraft[]} questions */
export function showQuestions(questions) {
  list.clear();
  for (const question of questions) list.insert(makeCard(question));
}

/** The questions' cards, in order. */
export const cards = () => list.items;

/** @param {number} index */
export function cardAt(index) {
  return list.items[index];
}

/**
 * @param {HTMLElement} card
 * @param {QuestionDraft} question that takes its place
 */
export function replaceCard(card, question) {
  const next = makeCard(question);
  list.insert(next, card);
  card.remove();
  list.relabel();
  reportEdit(list.list);
  find(next, "textarea").focus();
}

/** @param {QuestionDraft} question shown below all others */
export function appendQuestion(question) {
  const id = unique(
    question.id,
    readQuestions().map((other) => other.id),
  );
  list.insert(makeCard({ ...question, id }));
}

/** @param {QuestionType} type */
function addQuestion(type) {
  const card = makeCard(emptyQuestion(type));
  list.insert(card);
  find(card, "textarea").focus();
  card.scrollIntoView({ block: "nearest" });
  announce(`Question ${list.items.length} added.`);
}

/** @param {HTMLElement} original */
function copyQuestion(original) {
  const question = readCard(original);
  const taken = readQuestions().map(({ id }) => id);
  const copy = makeCard({ ...question, id: unique(question.id, taken) });
  list.insert(copy, original);
  find(copy, "textarea").focus();
  announce(`Question ${list.items.indexOf(copy) + 1} is a copy of the previous one.`);
}

/** Names questions by their words, unless the user has typed a name. */
function nameQuestions() {
  /** @type {string[]} */
  const taken = list.items
    .map(readCard)
    .filter(({ idIsAuto }) => !idIsAuto)
    .map(({ id }) => id);
  for (const card of list.items) {
    const { id, idIsAuto, instructions, yes, type } = readCard(card);
    if (!idIsAuto) continue;
    // The field is left alone while the user is in it.
    const name = document.activeElement === card.querySelector('[data-field="id"]') ? id : nameFor(instructions || yes, type, taken);
    setAutoName(card, name);
    taken.push(name);
  }
}
