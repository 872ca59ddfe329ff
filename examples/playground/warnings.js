// @ts-check
// Says above the answers what is odd about the text.
import { byId, make } from "./dom.js";

/** @typedef {import("./index.browser.js").StateWarning} StateWarning */

/** @type {{ readonly [Code in StateWarning]: string }} */
const WORDS = {
  unread_text:
    "Much of this text is in letters or words that the model cannot read, such as another language than English or codes. The answers are little more than guesses.",
  empty_state: "There is nothing to read: the text is empty, or the data holds no values. Type, paste or open a text, and decide again.",
};

/** @param {Pick<import("./index.browser.js").DecideResponse, "answers">} response */
export function showWarnings({ answers }) {
  const codes = Object.values(answers).flatMap((answer) => answer.x_warnings ?? []);
  // Every answer to a text has the same ones.
  const words = [...new Set(codes)].map((code) => WORDS[code]);
  const box = byId("warnings");
  box.replaceChildren(...words.map((text) => make("p", { text })));
  box.hidden = words.length === 0;
}
