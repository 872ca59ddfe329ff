// @ts-check
// What was typed outlives a reload of the page, in this tab of this browser and nowhere else; it is gone when the tab is.

/** @typedef {import("./draft.js").Draft} Draft */

const KEY = "umpire-playground-draft";

/** @param {Draft} draft */
export function remember(draft) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage is full or forbidden; the page works without.
  }
}

/** @returns {Draft | undefined} */
export function recall() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return typeof kept?.text === "string" && Array.isArray(kept.questions) ? kept : undefined;
  } catch {
    return undefined;
  }
}
