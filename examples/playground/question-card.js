// @ts-check
// One question as a group of fields. Its only state is in the fields.
import { readLevels, readOptions, valueOf, wireCriteria } from "./criteria.js";
import { copyOf, find, reportEdit } from "./dom.js";
import { QUESTION_KINDS } from "./question-kinds.js";

/** @typedef {import("./draft.js").QuestionDraft} QuestionDraft */

let cards = 0;

/** @param {QuestionDraft} question */
export function makeCard(question) {
  const { type, id, idIsAuto, instructions, options, levels, yes, no } = question;
  const card = copyOf("question-card");
  card.dataset.type = type;
  find(card, ".criteria").append(copyOf(`${type}-criteria`));
  find(card, ".question-type").textContent = QUESTION_KINDS[type].name;
  /** @type {HTMLTextAreaElement} */ (find(card, '[data-field="instructions"]')).placeholder = QUESTION_KINDS[type].placeholder;
  const idField = fieldOf(card, "id");
  idField.dataset.auto = String(idIsAuto);
  // A name that the user typed stays. If they delete it, a new one is made when they leave the field.
  idField.addEventListener("input", () => (idField.dataset.auto = String(idField.value.trim() === "")));
  idField.addEventListener("focusout", () => idField.dataset.auto === "true" && reportEdit(card));

  const values = { id, instructions, ...(type === "noul" && { yes, no }) };
  for (const [field, value] of Object.entries(values)) fieldOf(card, field).value = value;
  if (type === "choice") wireCriteria(card, "option", options);
  if (type === "score") {
    wireCriteria(
      card,
      "level",
      levels.map((description) => ({ key: "", description })),
    );
  }
  tieLabels(card);
  return card;
}

/**
 * @param {HTMLElement} card
 * @returns {QuestionDraft}
 */
export function readCard(card) {
  const type = /** @type {QuestionDraft["type"]} */ (card.dataset.type);
  return {
    type,
    id: valueOf(card, "id"),
    idIsAuto: fieldOf(card, "id").dataset.auto === "true",
    instructions: valueOf(card, "instructions"),
    options: type === "choice" ? readOptions(card) : [],
    yes: type === "noul" ? valueOf(card, "yes") : "",
    no: type === "noul" ? valueOf(card, "no") : "",
    levels: type === "score" ? readLevels(card) : [],
  };
}

/**
 * @param {HTMLElement} card
 * @param {number} number
 */
export function labelCard(card, number) {
  const type = QUESTION_KINDS[/** @type {QuestionDraft["type"]} */ (card.dataset.type)].name;
  find(card, "legend").textContent = `Question ${number}: ${type.toLowerCase()}`;
  find(card, ".question-number").textContent = String(number);
  const tools = find(card, ".question-tools");
  const names = { up: "Move question {} up", down: "Move question {} down", copy: "Duplicate question {}", remove: "Remove question {}" };
  for (const [action, name] of Object.entries(names)) {
    find(tools, `[data-action="${action}"]`).setAttribute("aria-label", name.replace("{}", String(number)));
  }
}

/**
 * @param {HTMLElement} card
 * @param {string} name
 */
export function setAutoName(card, name) {
  fieldOf(card, "id").value = name;
}

/**
 * @param {ParentNode} inside
 * @param {string} field
 * @returns {HTMLInputElement | HTMLTextAreaElement}
 */
function fieldOf(inside, field) {
  return /** @type {HTMLInputElement} */ (find(inside, `[data-field="${field}"]`));
}

/**
 * Gives each copy of the template its own ids, by which labels find their fields.
 * @param {HTMLElement} card
 */
function tieLabels(card) {
  cards++;
  for (const label of card.querySelectorAll("label[data-for]")) {
    const id = `card-${cards}-${label.getAttribute("data-for")}`;
    fieldOf(card, label.getAttribute("data-for") ?? "").id = id;
    label.setAttribute("for", id);
  }
}
