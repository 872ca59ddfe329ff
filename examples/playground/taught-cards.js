// @ts-check
// Says at each question whether it was taught, and that a lesson no longer answers once the question has changed.
import { find, make } from "./dom.js";
import { toQuestion } from "./draft.js";
import { modelNow } from "./models.js";
import { readCard } from "./question-card.js";
import { cards, replaceCard } from "./questions.js";
import { answersOf } from "./read-examples.js";
import { addExamples, examplesOf, keyOf, lessonOf } from "./taught.js";

/** @typedef {import("./draft.js").QuestionDraft} QuestionDraft */

/** @type {WeakMap<HTMLElement, QuestionDraft>} each card as it was when something was known of its question */
const known = new WeakMap();

/** To be called when a question has changed, or what was taught. */
export function showTaughtCards() {
  for (const card of cards()) {
    const note = find(card, ".taught-note");
    const views = viewsFor(card);
    note.replaceChildren(...views);
    note.hidden = views.length === 0;
  }
}

/** @param {HTMLElement} card */
function viewsFor(card) {
  const draft = readCard(card);
  const key = keyOf(toQuestion(draft));
  const examples = examplesOf(key);
  const lesson = lessonOf(key);
  if (lesson !== undefined || examples.length > 0) known.set(card, draft);
  if (lesson !== undefined) {
    const views = [make("span", { class: "taught", text: `taught with ${counted(lesson.examples.answered)}` })];
    return lesson.model.id === modelNow() ? views : [...views, ` This lesson answers with ${lesson.model.id} alone.`];
  }
  if (examples.length > 0) return [`${counted(examples.length)} so far.`];
  const before = known.get(card);
  return before === undefined ? [] : changedViews(card, before, key);
}

/**
 * @param {HTMLElement} card
 * @param {QuestionDraft} before
 * @param {string} key of the question now
 */
function changedViews(card, before, key) {
  const keyBefore = keyOf(toQuestion(before));
  const lesson = lessonOf(keyBefore);
  const examples = examplesOf(keyBefore);
  if (lesson === undefined && examples.length === 0) return [];
  const views = [
    lesson === undefined
      ? "The question has changed, and its examples belong to how it was."
      : "The question has changed, so its lesson does not answer it any more.",
    button("Change it back", () => replaceCard(card, { ...before, id: readCard(card).id })),
  ];
  const now = answersOf(toQuestion(readCard(card)));
  const usable = examples.filter(({ answer }) => answer === null || now.includes(answer));
  if (usable.length > 0) views.push(button(`Use its ${counted(usable.length)}`, () => void addExamples(key, usable)));
  return views;
}

/**
 * @param {string} text
 * @param {() => void} onClick
 */
function button(text, onClick) {
  const view = make("button", { class: "link", text });
  view.addEventListener("click", onClick);
  return view;
}

/** @param {number} count */
const counted = (count) => `${count.toLocaleString("en")} ${count === 1 ? "example" : "examples"}`;
