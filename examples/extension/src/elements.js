// @ts-check

/**
 * The element of this page with this id, which is there.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`there is no #${id}`);
  return element;
}

/**
 * A new element with a text and with children. Text of pages and of users comes into a page in this way alone, and so never as markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{ readonly text?: string, readonly className?: string }} properties
 * @param {readonly Element[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, { text, className } = {}, children = []) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className !== undefined) element.className = className;
  element.append(...children);
  return element;
}
