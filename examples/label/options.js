// @ts-check
// The answers as buttons, and a field that finds one among many.
import { byId, make } from "./dom.js";

/** @typedef {import("./server.js").Option} Option */

/** So many are seen at a glance. */
const MANY = 9;

/** @type {{ option: Option, item: HTMLElement }[]} */
let items = [];

const filter = /** @type {HTMLInputElement} */ (byId("filter"));

/** Those that the field finds. */
export const shownOptions = () => items.filter(({ item }) => !item.hidden).map(({ option }) => option);

/**
 * The buttons stay the same from row to row, and so does the focus.
 * @param {readonly Option[]} options
 * @param {(given: { key: string }) => void} answer
 */
export function showOptions(options, answer) {
  if (items.map(({ option }) => option.key).join("\n") !== options.map(({ key }) => key).join("\n")) {
    items = options.map((option) => ({ option, item: make("li", {}, buttonOf(option, answer)) }));
    byId("options").replaceChildren(...items.map(({ item }) => item));
    byId("finding").hidden = options.length <= MANY;
  }
  filter.value = "";
  find();
}

/**
 * @param {Option} option
 * @param {(given: { key: string }) => void} answer
 */
function buttonOf({ key, name, description, press = "" }, answer) {
  const words = make("span", {}, name, ...(description ? [make("span", { class: "note", text: description })] : []));
  const button = make("button", { class: "option" }, make("kbd", { text: press }), words);
  button.setAttribute("type", "button");
  button.addEventListener("click", ({ detail }) => {
    if (detail < 2) answer({ key });
  });
  return button;
}

function find() {
  const part = filter.value.trim().toLowerCase();
  for (const { option, item } of items) item.hidden = !`${option.name} ${option.description ?? ""}`.toLowerCase().includes(part);
  const found = shownOptions();
  const [first] = found;
  byId("found").textContent =
    part === "" ? `${items.length} answers` : `${found.length} found${first ? `; Enter gives ${first.name}` : ""}`;
}

/** @param {(given: { key: string }) => void} answer */
export function wireFilter(answer) {
  filter.addEventListener("input", find);
  filter.addEventListener("keydown", (event) => {
    const [first] = shownOptions();
    if (event.key === "Escape") {
      filter.value = "";
      find();
      filter.blur();
    } else if (event.key === "Enter" && !event.repeat && first && filter.value.trim() !== "") answer({ key: first.key });
  });
}
