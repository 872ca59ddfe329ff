// @ts-check
// A list whose items the user adds, moves and removes: questions, options or levels. The focus always stays where the user is working.
import { announce, find, reportEdit } from "./dom.js";

/** @typedef {"up" | "down" | "copy" | "remove"} Action */

/**
 * @typedef {object} ListOptions
 * @property {string} noun word for an item
 * @property {(item: HTMLElement, number: number, count: number) => void} label names an item's fields and buttons by its position
 * @property {number} [min] minimum number of items
 * @property {HTMLElement} whenEmpty gets the focus when the last item is gone
 * @property {(item: HTMLElement) => void} [onCopy]
 * @property {(number: number) => () => void} [beforeRemove] returns a function to call once the item is removed
 */

export class OrderedList {
  /**
   * @param {HTMLElement} list its children are the items
   * @param {ListOptions} options
   */
  constructor(list, options) {
    this.list = list;
    this.options = options;
    list.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("button[data-action]");
      const item = this.items.find((candidate) => button !== null && candidate.contains(button));
      // Ignores buttons of a list inside an item.
      if (item === undefined || button?.closest("[data-list]") !== list) return;
      this.#act(/** @type {HTMLElement} */ (button).dataset.action ?? "", item);
    });
  }

  get items() {
    return /** @type {HTMLElement[]} */ ([...this.list.children]);
  }

  /**
   * @param {HTMLElement} item
   * @param {HTMLElement} [after] default: at the end
   */
  insert(item, after) {
    if (after === undefined) this.list.append(item);
    else after.after(item);
    this.relabel();
    reportEdit(this.list);
  }

  clear() {
    this.list.replaceChildren();
  }

  relabel() {
    const { items, options } = this;
    items.forEach((item, i) => {
      options.label(item, i + 1, items.length);
      buttonOf(item, "up").disabled = i === 0;
      buttonOf(item, "down").disabled = i === items.length - 1;
      buttonOf(item, "remove").disabled = items.length <= (options.min ?? 0);
    });
  }

  /**
   * @param {string} action
   * @param {HTMLElement} item
   */
  #act(action, item) {
    if (action === "up") this.#move(item, -1);
    if (action === "down") this.#move(item, 1);
    if (action === "remove") this.#remove(item);
    if (action === "copy") this.options.onCopy?.(item);
  }

  /**
   * @param {HTMLElement} item
   * @param {-1 | 1} by
   */
  #move(item, by) {
    const { items } = this;
    const to = items.indexOf(item) + by;
    const neighbour = items[to];
    if (neighbour === undefined) return;
    if (by < 0) neighbour.before(item);
    else neighbour.after(item);
    this.relabel();
    const [same, other] = by < 0 ? [buttonOf(item, "up"), buttonOf(item, "down")] : [buttonOf(item, "down"), buttonOf(item, "up")];
    (same.disabled ? other : same).focus();
    item.scrollIntoView({ block: "nearest" });
    announce(`${this.options.noun} moved to place ${to + 1} of ${items.length}.`);
    reportEdit(this.list);
  }

  /** @param {HTMLElement} item */
  #remove(item) {
    const { items, options } = this;
    const i = items.indexOf(item);
    const afterwards = options.beforeRemove?.(i + 1);
    item.remove();
    this.relabel();
    const neighbour = items[i + 1] ?? items[i - 1];
    if (neighbour === undefined) options.whenEmpty.focus();
    else focusItem(neighbour);
    announce(`${options.noun} ${i + 1} removed.`);
    reportEdit(this.list);
    afterwards?.();
  }
}

/**
 * Focuses the item itself if possible, which announces its name and opens no keyboard on a phone; else its first field.
 * @param {HTMLElement} item
 */
function focusItem(item) {
  /** @type {HTMLElement} */ (item.querySelector("[tabindex='-1']") ?? find(item, "input, textarea")).focus();
}

/**
 * @param {HTMLElement} item
 * @param {Action} action
 */
function buttonOf(item, action) {
  const buttons = /** @type {HTMLButtonElement[]} */ ([...item.querySelectorAll(`button[data-action="${action}"]`)]);
  const own = buttons.find((button) => button.closest("[data-list]") === item.parentElement);
  if (own === undefined) throw new Error(`The item has no button for ${action}.`);
  return own;
}
