// @ts-check
// The rows inside a question: the options of a choice or the levels of a scale.
import { copyOf, find } from "./dom.js";
import { blankOption } from "./draft.js";
import { OrderedList } from "./ordered-list.js";

const MIN_ROWS = 2;
const MAX = { option: 255, level: 10 };

/** @typedef {import("./draft.js").OptionDraft} OptionDraft */

/**
 * One row, for an option or a level. A level has no key.
 * @param {HTMLElement} card the question's
 * @param {"option" | "level"} kind
 * @param {OptionDraft[]} rows
 */
export function wireCriteria(card, kind, rows) {
  const addButton = /** @type {HTMLButtonElement} */ (find(card, `[data-add="${kind}"]`));
  const list = new OrderedList(find(card, `[data-list="${kind}s"]`), {
    noun: kind === "option" ? "Option" : "Level",
    min: MIN_ROWS,
    whenEmpty: addButton,
    label: (row, number, count) => {
      labelRow(row, kind, number, count);
      addButton.disabled = count >= MAX[kind];
    },
  });
  for (const row of rows) list.insert(makeRow(kind, row));

  const addAfter = (/** @type {HTMLElement | undefined} */ after) => {
    const row = makeRow(kind, blankOption());
    list.insert(row, after);
    firstField(row).focus();
  };
  addButton.addEventListener("click", () => addAfter(undefined));
  list.list.addEventListener("keydown", (event) => {
    // Enter moves to the next row, like in a list in an editor. In the last row it adds another.
    if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    const { items } = list;
    const next = items[items.findIndex((row) => row.contains(/** @type {Node} */ (event.target))) + 1];
    if (next !== undefined) firstField(next).focus();
    else if (!addButton.disabled) addAfter(undefined);
  });
}

/**
 * @param {HTMLElement} card
 * @returns {OptionDraft[]}
 */
export function readOptions(card) {
  const rows = [...card.querySelectorAll('[data-list="options"] > li')];
  return rows.map((row) => ({ key: valueOf(row, "key"), description: valueOf(row, "description") }));
}

/** @param {HTMLElement} card */
export function readLevels(card) {
  return [...card.querySelectorAll('[data-list="levels"] > li')].map((row) => valueOf(row, "description"));
}

/**
 * @param {ParentNode} inside
 * @param {string} field
 */
export function valueOf(inside, field) {
  return /** @type {HTMLInputElement} */ (find(inside, `[data-field="${field}"]`)).value.trim();
}

/**
 * @param {"option" | "level"} kind
 * @param {OptionDraft} values
 */
function makeRow(kind, values) {
  const row = copyOf(`${kind}-row`);
  for (const [field, value] of Object.entries(values)) {
    const input = row.querySelector(`[data-field="${field}"]`);
    if (input instanceof HTMLInputElement) input.value = value;
  }
  return row;
}

/**
 * @param {HTMLElement} row
 * @param {"option" | "level"} kind
 * @param {number} number
 * @param {number} count
 */
function labelRow(row, kind, number, count) {
  const end = number === 1 ? " (lowest)" : number === count ? " (highest)" : "";
  const name = kind === "option" ? `option ${number}` : `level ${number - 1}`;
  const [key, description] = [row.querySelector('[data-field="key"]'), find(row, '[data-field="description"]')];
  key?.setAttribute("aria-label", `Option ${number}`);
  description.setAttribute("aria-label", kind === "option" ? `Description of option ${number}` : `Level ${number - 1}${end}`);
  if (kind === "level") find(row, ".level-number").textContent = String(number - 1);
  if (kind === "level" && description instanceof HTMLInputElement) {
    description.placeholder = number === 1 ? "lowest, such as calm" : number === count ? "highest, such as furious" : "";
  }
  find(row, '[data-action="up"]').setAttribute("aria-label", `Move ${name} up`);
  find(row, '[data-action="down"]').setAttribute("aria-label", `Move ${name} down`);
  find(row, '[data-action="remove"]').setAttribute("aria-label", `Remove ${name}`);
}

/** @param {HTMLElement} row */
function firstField(row) {
  return find(row, "input");
}
