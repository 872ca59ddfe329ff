// @ts-check
// Shows answers in words and bars.
import { byId, icon, make } from "./dom.js";
import { confidenceText, measuredAccuracy, percent, surenessOf } from "./sureness.js";

/** @typedef {import("./draft.js").QuestionDraft} QuestionDraft */
/** @typedef {import("./index.browser.js").Answer} Answer */
/** @typedef {import("./index.browser.js").ScoreAnswer} ScoreAnswer */
/** @typedef {{ label: string, share: number, isChosen: boolean }} Row */

/**
 * @param {readonly QuestionDraft[]} questions as they were asked
 * @param {import("./session.js").Outcome} outcome
 */
export function showAnswers(questions, { response, info }) {
  const views = questions.map((question) => {
    const answer = /** @type {Answer} */ (response.answers[question.id]);
    return viewOf(question, answer, measuredAccuracy(answer, info.calibration));
  });
  byId("answers").replaceChildren(...views);
}

/**
 * @param {QuestionDraft} question
 * @param {Answer} answer
 * @param {number | undefined} accuracy
 */
function viewOf(question, answer, accuracy) {
  const { words, strength, hint } = surenessOf(answer);
  const view = make("article", { class: "answer" });
  view.dataset.question = question.id;
  const signs = make("span", { class: "strength" }, ...[1, 2, 3, 4].map((i) => make("span", { class: i <= strength ? "on" : "" })));
  signs.setAttribute("aria-hidden", "true");
  const number = answer.type === "noul" ? "" : ` · confidence ${confidenceText(answer.confidence)}`;
  const sure = make(
    "p",
    { class: hint === "" ? "sureness" : "sureness unsure" },
    signs,
    make("span", { class: "words", text: `${words}${number}` }),
  );
  if (hint !== "") sure.append(make("span", { class: "hint", text: hint }));
  view.append(
    make("h3", {}, make("code", { text: question.id }), make("span", { text: titleOf(question) })),
    make("div", { class: "verdict" }, make("p", { class: "verdict-words", text: verdictOf(question, answer) }), sure),
    make("ul", { class: "bars" }, ...rowsOf(question, answer).map(barOf)),
  );
  if (answer.type === "score") view.append(scaleOf(question, answer));
  if (accuracy !== undefined) {
    view.append(make("p", { class: "measured", text: `In tests, ${percent(accuracy)} of answers with this confidence were right.` }));
  }
  return view;
}

/** @param {QuestionDraft} question a yes/no question may say only when its answer is yes */
function titleOf({ instructions, yes, no }) {
  return instructions || [yes && `Yes: ${yes}`, no && `No: ${no}`].filter(Boolean).join(" · ");
}

/**
 * @param {QuestionDraft} question
 * @param {Answer} answer
 */
function verdictOf(question, answer) {
  if (answer.type === "choice") return answer.choice;
  if (answer.type === "score")
    return `${answer.score.toFixed(1)} of ${question.levels.length - 1}: closest to ${question.levels[Math.round(answer.score)]}`;
  const { strength } = surenessOf(answer);
  const word = answer.noul >= 0.5 ? "yes" : "no";
  return { 4: word[0]?.toUpperCase() + word.slice(1), 3: `Probably ${word}`, 2: `Rather ${word}`, 1: "Could be either" }[strength];
}

/**
 * Returns options in the order in which they were asked. The answer's object does not keep that order for numeric keys.
 * @param {QuestionDraft} question
 * @param {Answer} answer
 * @returns {Row[]}
 */
function rowsOf(question, answer) {
  if (answer.type === "noul") {
    const isYes = answer.noul >= 0.5;
    return [
      { label: "Yes", share: answer.noul, isChosen: isYes },
      { label: "No", share: 1 - answer.noul, isChosen: !isYes },
    ];
  }
  const { probabilities } = answer;
  if (answer.type === "choice") {
    return question.options.map(({ key }) => ({ label: key, share: probabilities[key] ?? 0, isChosen: key === answer.choice }));
  }
  const shares = question.levels.map((_, i) => probabilities[String(i)] ?? 0);
  const likeliest = shares.indexOf(Math.max(...shares));
  return question.levels.map((label, i) => ({ label, share: shares[i] ?? 0, isChosen: i === likeliest }));
}

/** @param {Row} row */
function barOf({ label, share, isChosen }) {
  const fill = make("span", { class: "fill" });
  fill.style.setProperty("width", `${share * 100}%`);
  const track = make("span", { class: "track" }, fill);
  track.setAttribute("aria-hidden", "true");
  const name = make("span", { class: "bar-label" }, label);
  const row = make("li", { class: isChosen ? "bar chosen" : "bar" }, name, track, make("span", { class: "share", text: percent(share) }));
  if (isChosen) name.prepend(icon("check"), make("span", { class: "visually-hidden", text: "Most likely: " }));
  return row;
}

/**
 * A line from the lowest to the highest level, with a mark at the expected level.
 * @param {QuestionDraft} question
 * @param {ScoreAnswer} answer
 */
function scaleOf({ levels }, { score }) {
  const last = levels.length - 1;
  const ticks = levels.map((_, i) => placed("tick", i / last));
  const line = make("div", { class: "scale" }, ...ticks, placed("mark", score / last));
  const view = make(
    "div",
    { class: "scale-box" },
    line,
    make("span", { text: levels[0] ?? "" }),
    make("span", { text: levels[last] ?? "" }),
  );
  // The verdict above already says this in words.
  view.setAttribute("aria-hidden", "true");
  return view;
}

/**
 * @param {string} kind
 * @param {number} along 0 to 1
 */
function placed(kind, along) {
  const element = make("span", { class: kind });
  element.style.setProperty("left", `${along * 100}%`);
  return element;
}
