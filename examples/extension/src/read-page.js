// @ts-check

/**
 * @typedef {object} Budget  Maximum numbers of characters
 * @property {number} title
 * @property {number} description
 * @property {number} heading  of one heading
 * @property {number} headings  number of headings
 * @property {number} text
 * @property {number} selection
 *
 * @typedef {object} PageReading  What is read from a page: nothing that was typed into it, and only the host name of its address
 * @property {string} host
 * @property {string} title
 * @property {string} description
 * @property {readonly string[]} headings
 * @property {string} text
 * @property {number} textCharacters  length of the whole text, of which `text` may be only the start
 * @property {string} selection
 * @property {number} selectionCharacters
 * @property {boolean} hasPasswordField
 * @property {number} prices
 * @property {number} cartButtons
 */

/**
 * Reads the page in which it runs. The browser sends it there as source text, so it can use nothing from outside the function.
 * @param {Budget} budget
 * @returns {PageReading}
 */
export function readPage(budget) {
  /** A region with less text is likely a frame around something else. */
  const MIN_MAIN_CHARACTERS = 200;
  const PRICE = /(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF)\b)\s?\d|\d\s?(?:[€£¥]|(?:USD|EUR|GBP|CHF)\b)/g;
  const CART = /\b(?:add to|view|go to|your) (?:cart|basket|bag)\b|\bbuy (?:it )?now\b|\bcheck ?out\b/i;

  /** @type {(text: string) => string} */
  const tidy = (text) =>
    text
      .replace(/[^\S\n]+/g, " ")
      .replace(/ ?\n\s*/g, "\n")
      .trim();
  /** Cuts the text. The result is well-formed even if the cut splits a surrogate pair. @type {(text: string, characters: number) => string} */
  const cut = (text, characters) => (text.length > characters ? text.slice(0, characters).toWellFormed() : text);
  /** @type {(element: Element) => boolean} */
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });
  /** @type {(element: Element) => string} */
  const labelOf = (element) => (element instanceof HTMLInputElement ? element.value : (element.textContent ?? ""));

  // innerText leaves out hidden text and the contents of fields.
  const whole = tidy(document.body?.innerText ?? "");
  const region = document.querySelector("main, [role=main]") ?? document.querySelector("article");
  const main = region instanceof HTMLElement ? tidy(region.innerText) : "";
  const text = main.length >= MIN_MAIN_CHARACTERS ? main : whole;
  const headings = [...document.querySelectorAll("h1, h2, h3")].filter(isVisible).map((heading) => tidy(heading.textContent ?? ""));
  // A selection inside a field was typed by the user, so it is not read.
  const inField = document.activeElement?.matches("input, textarea") ?? false;
  const selection = inField ? "" : tidy(getSelection()?.toString() ?? "");
  const description = document.querySelector("meta[name=description]")?.getAttribute("content") ?? "";

  return {
    host: location.hostname,
    title: cut(tidy(document.title), budget.title),
    description: cut(tidy(description), budget.description),
    headings: headings
      .filter((heading) => heading !== "")
      .slice(0, budget.headings)
      .map((heading) => cut(heading, budget.heading)),
    text: cut(text, budget.text),
    textCharacters: text.length,
    selection: cut(selection, budget.selection),
    selectionCharacters: selection.length,
    hasPasswordField: [...document.querySelectorAll("input[type=password]")].some(isVisible),
    prices: whole.match(PRICE)?.length ?? 0,
    cartButtons: [...document.querySelectorAll("button, a, [role=button], input[type=submit], input[type=button]")].filter(
      (element) => CART.test(labelOf(element)) && isVisible(element),
    ).length,
  };
}
