// @ts-check
// Shows what a lesson learned: figures before and after, what can be automated, and examples that look wrong.
import { make } from "./dom.js";
import { answerWords } from "./read-examples.js";
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
/** More would be a long list to read. The first ones are the most suspicious. */
const MAX_SUSPICIOUS = 20;

/**
 * @param {Lesson} lesson
 * @param {readonly Example[]} examples as they were taught; empty if the page does not have them
 */
export function reportViews({ question, report, examples: counts }, examples) {
  const views = [
    make("h3", { text: "What it learned" }),
    make("p", { class: "report-verdict", text: verdictOf(report) }),
    figuresTable(report),
    make("p", {
      class: "note",
      text: `From ${counts.answered.toLocaleString("en")} examples, each answered by what was learned of others. In brackets: where the figure lies in 90 of 100 cases.`,
    }),
    make("h3", { text: "How much can be automated" }),
    make("ul", { class: "automated" }, ...report.automated.map(automatedView)),
  ];
  const suspicious = report.suspicious.filter(({ index }) => examples[index] !== undefined).slice(0, MAX_SUSPICIOUS);
  if (suspicious.length > 0) {
    const asked = /** @type {import("./draft.js").Question} */ (question);
    views.push(
      make("h3", { text: "Examples that look wrong" }),
      make("p", { class: "note", text: "Open one to read it. If its answer is wrong, correct it where it comes from and teach again." }),
      make("ul", { class: "suspicious" }, ...suspicious.map((doubt) => suspiciousView(doubt, /** @type {Example} */ (examples[doubt.index]), asked))),
    );
  }
  if (report.notes.length > 0) {
    views.push(make("h3", { text: "Notes" }), make("ul", { class: "report-notes" }, ...report.notes.map((text) => make("li", { text }))));
  }
  return views;
}

/** @param {LessonReport} report */
export function verdictOf({ learned, before, after }) {
  if (learned === "nothing") return "These examples show nothing that the model does not do already. Its answers stay as they are.";
  // Rounded down, so that the numbers never look better than they are.
  const [was, is] = [before, after].map(({ accuracy }) => Math.floor(accuracy.value * 100 + 1e-9));
  const how = learned === "biases" ? "It learned how common each answer is." : "It learned what texts of each answer are like.";
  return `Right in about ${is} of 100 answers; before it was ${was}. ${how}`;
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
  for (const [property, share] of Object.entries({ "--low": low, "--high": high, "--value": value })) range.style.setProperty(property, String(share));
  range.setAttribute("aria-hidden", "true");
  return make("td", {}, make("strong", { text: percent(value) }), " ", make("span", { class: "note", text: `(${from}–${to}%)` }), range);
}

/** @param {LessonReport["automated"][number]} automated */
function automatedView({ maxErrorRate, share, reason }) {
  const rate = `At most ${percent(maxErrorRate)} wrong: `;
  if (share > 0) return make("li", {}, rate, make("strong", { text: percent(share) }), " of answers need no person.");
  return make("li", {}, rate, make("strong", { text: "none" }), `. ${reason ?? ""}`);
}

/**
 * @param {LessonReport["suspicious"][number]} doubt
 * @param {Example} example
 * @param {import("./draft.js").Question} question
 */
function suspiciousView({ answer, probability }, { state, answer: stated }, question) {
  const text = typeof state === "string" ? state : JSON.stringify(state, null, 2);
  const summary = make(
    "summary",
    {},
    make("span", { class: "excerpt", text: text.replaceAll(/\s+/g, " ") }),
    make("span", { class: "doubt", text: `${answerWords(String(stated), question)} → ${answerWords(answer, question)}, ${percent(probability)}` }),
  );
  return make("li", {}, make("details", {}, summary, make("p", { class: "whole-text", text })));
}
