// @ts-check
// Example requests to start from.
import { byId, make } from "./dom.js";
import { toDraft } from "./open-request.js";

/** @typedef {import("./draft.js").Draft} Draft */

const picker = /** @type {HTMLSelectElement} */ (byId("example"));

/**
 * Fills the list of examples.
 * @param {(draft: Draft, title: string) => void} onPick
 * @returns {Promise<Draft | undefined>} the first of them
 */
export async function wireExamples(onPick) {
  const response = await fetch("./requests.json");
  if (!response.ok) throw new Error(`The examples could not be loaded: the server answered with status ${response.status}.`);
  /** @type {{ title: string }[]} */
  const requests = await response.json();
  const examples = requests.flatMap((request) => {
    const draft = toDraft(request);
    return draft === undefined ? [] : [{ title: request.title, draft }];
  });
  examples.forEach(({ title }, i) => {
    const option = /** @type {HTMLOptionElement} */ (make("option", { text: title }));
    option.value = String(i);
    picker.append(option);
  });
  picker.addEventListener("change", () => {
    const picked = picker.value === "" ? undefined : examples[Number(picker.value)];
    // The list starts actions and is not a setting, so it returns to its first entry.
    picker.value = "";
    if (picked !== undefined) onPick(picked.draft, picked.title);
  });
  return examples[0]?.draft;
}
