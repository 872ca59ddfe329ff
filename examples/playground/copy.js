// @ts-check
// Buttons that copy a panel's contents to the clipboard.
import { announce, byId } from "./dom.js";

const SHOWN_MS = 2000;

export function wireCopyButtons() {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("button[data-copy]"))) {
    const words = /** @type {HTMLElement} */ (button.querySelector("span"));
    const usual = words.textContent;
    button.addEventListener("click", async () => {
      const source = byId(button.dataset.copy ?? "");
      const isCopied = await copy(source.textContent);
      if (!isCopied) getSelection()?.selectAllChildren(source);
      words.textContent = isCopied ? "Copied" : "Press Ctrl+C";
      announce(isCopied ? "Copied." : "The browser did not allow copying. The text is selected: press Control C to copy it.");
      setTimeout(() => (words.textContent = usual), SHOWN_MS);
    });
  }
}

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
