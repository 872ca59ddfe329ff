// @ts-check
// The few things that every part of the page does with the document.

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
  if (element === null) throw new Error(`There is no ${selector}.`);
  return /** @type {T} */ (element);
}

/**
 * Text is always set as text, never as markup: it may be anybody's.
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
 * The one element in a `<template>`, as a new copy.
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
 * One of the icons that index.html defines.
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
 * Says something to those who listen to the page rather than see it.
 * @param {string} text
 */
export function announce(text) {
  const status = byId("status");
  // The same words twice in a row are said only when the region was empty between them.
  status.textContent = "";
  setTimeout(() => (status.textContent = text), 50);
}

/**
 * What a person's own typing causes, for changes that the page makes for them.
 * @param {EventTarget} target
 */
export function reportEdit(target) {
  target.dispatchEvent(new Event("input", { bubbles: true }));
}
