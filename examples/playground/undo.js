// @ts-check
// The way back from what replaced or removed something that a person had made.
import { announce, byId, find } from "./dom.js";

const bar = byId("undo");
const button = find(bar, "button");
/** @type {(() => void) | undefined} */
let restore;

/**
 * @param {string} what happened, as a sentence
 * @param {() => void} goBack
 */
export function offerUndo(what, goBack) {
  restore = goBack;
  find(bar, "p").textContent = what;
  bar.hidden = false;
  announce(`${what} You can undo this.`);
}

/** Once something else was changed, going back would undo that, too. */
export function withdrawUndo() {
  bar.hidden = true;
  restore = undefined;
}

/** @param {HTMLElement} whereNext gets the focus, since the button goes away */
export function wireUndo(whereNext) {
  button.addEventListener("click", () => {
    const goBack = restore;
    withdrawUndo();
    goBack?.();
    whereNext.focus();
  });
}
