// @ts-check
// "Explain" at an answer: shows the text with the passages tinted that speak for the answer or against it.
import { announce, make } from "./dom.js";
import { answerWords } from "./read-examples.js";

/** @typedef {import("./answer-tools.js").Answered} Answered */
/** @typedef {import("./index.browser.js").Explanation} Explanation */
/** @typedef {Explanation["passages"][number]} Passage */

/** The least change of log-odds that counts as weak, clear and strong. At 0.2 odds change by a fifth, at 1.5 they are more than four times as high. */
const LEVELS = [0.2, 0.7, 1.5];
const SIGN_WORDS = ["", "a little", "clearly", "strongly"];

/** @type {Map<HTMLElement, () => void>} by button: what takes its explanation away, also one that is under way */
const shown = new Map();

/**
 * Shows the explanation below the answer, or takes it away again.
 * @param {Answered} answered
 * @param {HTMLElement} button that was pressed
 * @param {(signal: AbortSignal) => Promise<Explanation>} explain
 */
export async function toggleExplanation(answered, button, explain) {
  const isShown = shown.get(button);
  if (isShown !== undefined) return isShown();
  const call = new AbortController();
  const box = make("section", { class: "explanation" }, make("p", { class: "note", text: "Leaving out one passage after the other …" }));
  box.setAttribute("aria-label", `Why ${answered.id} was answered so`);
  button.setAttribute("aria-expanded", "true");
  button.closest(".answer")?.append(box);
  shown.set(button, () => {
    call.abort();
    box.remove();
    button.setAttribute("aria-expanded", "false");
    shown.delete(button);
  });
  const startMs = performance.now();
  try {
    const explanation = await explain(call.signal);
    if (call.signal.aborted) return;
    box.replaceChildren(...viewsOf(explanation, answered, performance.now() - startMs));
    announce("The explanation is below the answer.");
  } catch (error) {
    if (call.signal.aborted) return;
    box.replaceChildren(make("p", { class: "field-problem", text: /** @type {Error} */ (error).message }));
    announce(/** @type {Error} */ (error).message);
  }
}

/** Takes all explanations away: they belong to another text. */
export function withdrawExplanations() {
  for (const takeAway of [...shown.values()]) takeAway();
}

/**
 * @param {Explanation} explanation
 * @param {Answered} answered
 * @param {number} ms that it took
 */
function viewsOf({ text, passages, readings, key }, { question }, ms) {
  const answer = answerWords(key, question);
  const cost = `The text was read ${readings} times, as a whole and without each of ${passages.length} passages, in ${Math.round(ms).toLocaleString("en")} ms.`;
  if (passages.length < 2)
    return [make("p", { class: "note", text: "The text is a single passage. There is nothing to compare it with." })];
  const isTelling = passages.some(({ change }) => levelOf(change) > 0);
  const legend = make("p", { class: "legend" });
  if (isTelling) legend.append(sample("for", "+", `for “${answer}”`), sample("against", "−", "against it"));
  else legend.append(`No single passage makes much of a difference to “${answer}”.`);
  const inOrder = passages.toSorted((one, other) => one.start - other.start);
  const figures = make(
    "details",
    {},
    make("summary", { text: "Figures" }),
    make(
      "ol",
      { class: "passage-figures" },
      ...passages.toSorted((one, other) => Math.abs(other.change) - Math.abs(one.change)).map((passage) => figureView(passage, text)),
    ),
    make("p", { class: "note", text: "How many times as high the odds of the answer are with the passage as without it." }),
  );
  return [
    legend,
    make("p", { class: "tinted" }, ...inOrder.flatMap((passage) => tinted(passage, text))),
    figures,
    make("p", { class: "note", text: cost }),
  ];
}

/**
 * @param {Passage} passage
 * @param {string} whole
 */
function tinted({ start, end, change }, whole) {
  const text = whole.slice(start, end);
  const level = levelOf(change);
  if (level === 0) return [text];
  const words = text.trimEnd();
  const mark = make("mark", { class: `${change > 0 ? "for" : "against"} level-${level}` }, words);
  mark.append(make("span", { class: "sign", text: (change > 0 ? "+" : "−").repeat(level) }));
  return [mark, text.slice(words.length)];
}

/**
 * @param {Passage} passage
 * @param {string} whole
 */
function figureView({ start, end, change }, whole) {
  const level = levelOf(change);
  const side = level === 0 ? "makes no difference" : `${SIGN_WORDS[level]} ${change > 0 ? "for" : "against"}`;
  const odds = Math.exp(change);
  const times = odds >= 100 ? "more than 100" : odds < 0.01 ? "less than 0.01" : odds.toFixed(odds >= 10 ? 0 : odds >= 0.1 ? 1 : 2);
  return make(
    "li",
    {},
    make("span", { class: "excerpt", text: whole.slice(start, end).trim() }),
    make("span", { class: "change", text: `${side}, × ${times}` }),
  );
}

/** @param {number} change */
const levelOf = (change) => LEVELS.filter((least) => Math.abs(change) >= least).length;

/**
 * @param {"for" | "against"} side
 * @param {string} sign
 * @param {string} words
 */
function sample(side, sign, words) {
  return make("span", {}, make("mark", { class: `${side} level-2`, text: sign }), " ", words);
}
