// @ts-check
// A bar of a share, with its name and its number.
import { icon, make } from "./dom.js";

/**
 * @param {{ label: string, share: number, words: string, isChosen?: boolean }} bar share: 0 to 1
 */
export function barOf({ label, share, words, isChosen = false }) {
  const fill = make("span", { class: "fill" });
  fill.style.setProperty("width", `${share * 100}%`);
  const track = make("span", { class: "track" }, ...(share > 0 ? [fill] : []));
  track.setAttribute("aria-hidden", "true");
  const name = make("span", { class: "bar-label" }, label);
  const row = make("li", { class: isChosen ? "bar chosen" : "bar" }, name, track, make("span", { class: "share", text: words }));
  if (isChosen) name.prepend(icon("check"), make("span", { class: "visually-hidden", text: "Most likely: " }));
  return row;
}
