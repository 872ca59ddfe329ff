// @ts-check

/**
 * Returns the page's element with this id, which must exist.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`there is no #${id}`);
  return element;
}

/**
 * Creates an element with text and children. All text from pages and users is added this way, so never as markup.
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
