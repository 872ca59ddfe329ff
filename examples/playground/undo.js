// @ts-check
// Offers to undo an action that replaced or removed the user's work.
import { announce, byId, find } from "./dom.js";

const bar = byId("undo");
const button = find(bar, "button");
/** @type {(() => void) | undefined} */
let restore;

/**
 * @param {string} what a sentence that says what happened
 * @param {() => void} goBack
 */
export function offerUndo(what, goBack) {
  restore = goBack;
  find(bar, "p").textContent = what;
  bar.hidden = false;
  announce(`${what} You can undo this.`);
}

/** Withdraws the offer after another change, which undoing would lose. */
export function withdrawUndo() {
  bar.hidden = true;
  restore = undefined;
}

/** @param {HTMLElement} whereNext gets the focus, because the button disappears */
export function wireUndo(whereNext) {
  button.addEventListener("click", () => {
    const goBack = restore;
    withdrawUndo();
    goBack?.();
    whereNext.focus();
  });
}
