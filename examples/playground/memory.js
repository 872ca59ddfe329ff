// @ts-check
// Keeps the draft across reloads of the page, only in this tab. It is gone when the tab is closed.

/** @typedef {import("./draft.js").Draft} Draft */

const KEY = "umpire-playground-draft";

/** @param {Draft} draft */
export function remember(draft) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage is full or blocked. The page works without it.
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
