// @ts-check
// The list of examples to start from.
import { byId, make } from "./dom.js";
import { toDraft } from "./open-request.js";
import { presets } from "./presets.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {{ title: string, draft: Draft }} Example */

/** @type {readonly Example[]} */
const examples = presets.flatMap((preset) => {
  const draft = toDraft(preset);
  return draft === undefined ? [] : [{ title: preset.title, draft }];
});

/** What a new visitor sees. */
export const firstExample = examples[0]?.draft;

/** @param {(example: Example) => void} onPick */
export function wireExamples(onPick) {
  const picker = /** @type {HTMLSelectElement} */ (byId("example"));
  examples.forEach(({ title }, i) => {
    const option = /** @type {HTMLOptionElement} */ (make("option", { text: title }));
    option.value = String(i);
    picker.append(option);
  });
  picker.addEventListener("change", () => {
    const picked = picker.value === "" ? undefined : examples[Number(picker.value)];
    // The list starts actions and is not a setting, so it returns to its first entry.
    picker.value = "";
    if (picked !== undefined) onPick(picked);
  });
}
