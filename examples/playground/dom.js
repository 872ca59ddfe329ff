// @ts-check
// Functions for the document that several parts of the page use.

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element #${id}.`);
  return /** @type {T} */ (element);
}

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {ParentNode} inside
 * @param {string} selector
 * @returns {T}
 */
export function find(inside, selector) {
  const element = inside.querySelector(selector);
  if (element === null) throw new Error(`No element matches ${selector}.`);
  return /** @type {T} */ (element);
}

/**
 * Creates an element. Text is always set as text, never as markup, because it may come from anyone.
 * @param {string} tag
 * @param {{ class?: string, text?: string }} [props]
 * @param {...(Node | string)} children
 */
export function make(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  if (props.class !== undefined) element.className = props.class;
  if (props.text !== undefined) element.textContent = props.text;
  element.append(...children);
  return element;
}

/**
 * Returns a copy of the single element in a `<template>`.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function copyOf(id) {
  const template = /** @type {HTMLTemplateElement} */ (byId(id));
  const first = template.content.firstElementChild;
  if (first === null) throw new Error(`The template ${id} is empty.`);
  return /** @type {HTMLElement} */ (document.importNode(first, true));
}

/**
 * Creates one of the icons defined in index.html.
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/**
 * Announces a message to screen readers.
 * @param {string} text
 */
export function announce(text) {
  const status = byId("status");
  // The same message twice in a row is only announced if the region was empty in between.
  status.textContent = "";
  setTimeout(() => (status.textContent = text), 50);
}

/**
 * Fires the same events as typing, for changes that the page makes itself.
 * @param {EventTarget} target
 */
export function reportEdit(target) {
  target.dispatchEvent(new Event("input", { bubbles: true }));
}
