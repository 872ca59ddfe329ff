// @ts-check
// Shows what a lesson learned: figures before and after, what can be automated, and examples that look wrong.
import { barOf } from "./bar.js";
import { icon, make } from "./dom.js";
import { answersOf, answerWords } from "./read-examples.js";
import { percent } from "./sureness.js";

/** @typedef {import("./index.browser.js").Lesson} Lesson */
/** @typedef {import("./index.browser.js").LessonReport} LessonReport */
/** @typedef {LessonReport["before"]} Figures */
/** @typedef {Figures["accuracy"]} Figure */
/** @typedef {import("./taught.js").Example} Example */

/** @type {readonly { name: string, hint: string, figure: keyof Figures }[]} */
const FIGURES = [
  { name: "Accuracy", hint: "right answers", figure: "accuracy" },
  { name: "Macro-F1", hint: "every answer counts the same; 100% is best", figure: "macroF1" },
  { name: "Calibration error", hint: "how far stated probabilities are off; 0% is best", figure: "calibrationError" },
];
/** @type {{ readonly [Learned in LessonReport["learned"]]: string }} */
const LEARNED = {
  nothing: "The examples show little that the model does not know already.",
  biases: "It learned how common each answer is.",
  features: "It learned what texts of each answer are like.",
};
/** Of the rates in a report, those that are asked for most. */
const SHOWN_RATES = [0.05, 0.1];
/** More would be a long list to read. The first ones are the most suspicious. */
const MAX_SUSPICIOUS = 20;

/**
 * @param {Lesson} lesson
 * @param {readonly Example[]} examples as they were taught; empty if the page does not have them
 * @param {(example: Example, answer: Example["answer"] | undefined) => void} onCorrect called with an example's right answer, or without it if the example
 *   is to go
 */
export function reportViews({ question, report, examples: counts }, examples, onCorrect) {
  const views = [
    make("h3", { text: "What it learned" }),
    make("p", { class: "report-verdict", text: verdictOf(report) }),
    figuresTable(report),
    make("p", {
      class: "note",
      text: `From ${counts.answered.toLocaleString("en")} examples, each answered by what was learned of others. In brackets: where the figure lies in 90 of 100 cases.`,
    }),
    make("h3", { text: "How much can be automated" }),
    make("p", { class: "note", text: "The share of texts whose answers are sure enough, so that no more than so many of them are wrong." }),
    make("ul", { class: "bars" }, ...report.automated.filter(({ maxErrorRate }) => SHOWN_RATES.includes(maxErrorRate)).map(automatedView)),
  ];
  const suspicious = report.suspicious.filter(({ index }) => examples[index] !== undefined).slice(0, MAX_SUSPICIOUS);
  if (suspicious.length > 0) {
    const asked = /** @type {import("./draft.js").Question} */ (question);
    views.push(
      make("h3", { text: "Examples that look wrong" }),
      make("p", { class: "note", text: "Open one to read it. If its answer is wrong, correct it and teach again." }),
      make(
        "ul",
        { class: "suspicious" },
        ...suspicious.map((doubt, i) => suspiciousView(doubt, i + 1, /** @type {Example} */ (examples[doubt.index]), asked, onCorrect)),
      ),
    );
  }
  if (report.notes.length > 0) {
    views.push(make("h3", { text: "Notes" }), make("ul", { class: "report-notes" }, ...report.notes.map((text) => make("li", { text }))));
  }
  return views;
}

/** @param {LessonReport} report */
export function verdictOf({ learned, before, after }) {
  const [was, is] = [before, after].map(({ accuracy }) => Math.round(accuracy.value * 100));
  return `Right in about ${is} of 100 answers; before it was ${was}. ${LEARNED[learned]}`;
}

/** @param {LessonReport} report */
function figuresTable({ before, after }) {
  const table = make(
    "table",
    { class: "figures" },
    make("thead", {}, make("tr", {}, make("td"), heading("Before", "col"), heading("After", "col"))),
  );
  const rows = FIGURES.map(({ name, hint, figure }) => {
    const row = heading(name, "row");
    row.append(make("span", { class: "note", text: hint }));
    return make("tr", {}, row, figureCell(before[figure]), figureCell(after[figure]));
  });
  table.append(make("tbody", {}, ...rows));
  return table;
}

/**
 * @param {string} text
 * @param {"col" | "row"} scope
 */
function heading(text, scope) {
  const cell = make("th", {}, text);
  cell.setAttribute("scope", scope);
  return cell;
}

/** @param {Figure} figure */
function figureCell({ value, low, high }) {
  const [from, to] = [low, high].map((share) => Math.round(share * 100));
  const range = make("span", { class: "range" });
  for (const [property, share] of Object.entries({ "--low": low, "--high": high, "--value": value }))
    range.style.setProperty(property, String(share));
  range.setAttribute("aria-hidden", "true");
  return make("td", {}, make("strong", { text: percent(value) }), " ", make("span", { class: "note", text: `(${from}–${to}%)` }), range);
}

/** @param {LessonReport["automated"][number]} automated */
function automatedView({ maxErrorRate, share, reason = "" }) {
  const view = barOf({ label: `${percent(maxErrorRate)} wrong at most`, share, words: percent(share) });
  if (share === 0) view.append(make("span", { class: "note", text: reason }));
  return view;
}

/**
 * @param {LessonReport["suspicious"][number]} doubt
 * @param {number} number in the list
 * @param {Example} example
 * @param {import("./draft.js").Question} question
 * @param {(example: Example, answer: Example["answer"] | undefined) => void} onCorrect
 */
function suspiciousView({ answer, probability }, number, example, question, onCorrect) {
  const text = typeof example.state === "string" ? example.state : JSON.stringify(example.state, null, 2);
  const doubt = `${answerWords(String(example.answer), question)} → ${answerWords(answer, question)}, ${percent(probability)}`;
  const summary = make(
    "summary",
    {},
    make("span", { class: "excerpt", text: text.replaceAll(/\s+/g, " ") }),
    make("span", { class: "doubt", text: doubt }),
  );
  const answers = answersOf(question);
  const picker = /** @type {HTMLSelectElement} */ (make("select"));
  picker.setAttribute("aria-label", `Right answer of suspicious example ${number}`);
  picker.append(...answers.map((given) => make("option", { text: answerWords(String(given), question) })));
  picker.selectedIndex = answers.findIndex((given) => given === example.answer);
  picker.addEventListener("change", () => onCorrect(example, answers[picker.selectedIndex]));
  const remove = /** @type {HTMLButtonElement} */ (make("button", {}, icon("remove"), "Remove"));
  remove.setAttribute("aria-label", `Remove suspicious example ${number}`);
  remove.addEventListener("click", () => {
    onCorrect(example, undefined);
    picker.disabled = true;
    remove.disabled = true;
    summary.focus();
  });
  const tools = make("div", { class: "teach-row" }, picker, remove);
  return make("li", {}, make("details", {}, summary, make("p", { class: "whole-text", text }), tools));
}
