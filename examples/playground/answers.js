// @ts-check
// Shows answers in words and bars.
import { adviceOf } from "./advice.js";
import { answerTools, dropAnswerTools } from "./answer-tools.js";
import { barOf } from "./bar.js";
import { byId, make } from "./dom.js";
import { QUESTION_KINDS } from "./question-kinds.js";
import { percent, surenessOf } from "./sureness.js";

/** @typedef {import("./draft.js").QuestionDraft} QuestionDraft */
/** @typedef {import("./index.browser.js").Answer} Answer */
/** @typedef {import("./index.browser.js").ScoreAnswer} ScoreAnswer */
/** @typedef {import("./question-kinds.js").Row} Row */

/**
 * @param {readonly QuestionDraft[]} questions as they were asked
 * @param {import("./draft.js").Request} request
 * @param {import("./index.browser.js").DecideResponse} response
 */
export function showAnswers(questions, request, response) {
  dropAnswerTools();
  const views = questions.map((draft) => {
    const { id } = draft;
    const [question, answer] = [request.questions[id], response.answers[id]];
    const view = viewOf(draft, /** @type {Answer} */ (answer));
    if (question && answer) view.append(answerTools({ id, state: request.state, question, answer }, draft));
    return view;
  });
  const focus = focusPlace();
  byId("answers").replaceChildren(...views);
  if (focus !== undefined) (buttonsOf(views[focus.answer])[focus.button] ?? byId("results")).focus();
}

/** Where the focus is among the answers. New ones must not take it away. */
function focusPlace() {
  const views = [...byId("answers").children];
  const answer = views.findIndex((view) => view.contains(document.activeElement));
  if (answer < 0) return undefined;
  return { answer, button: buttonsOf(views[answer]).findIndex((button) => button === document.activeElement) };
}

/**
 * @param {Element | undefined} view
 * @returns {HTMLElement[]}
 */
const buttonsOf = (view) =>
  [...(view?.querySelectorAll(".answer-tools :is(button, select)") ?? [])].map((button) => /** @type {HTMLElement} */ (button));

/**
 * @param {QuestionDraft} question
 * @param {Answer} answer
 */
function viewOf(question, answer) {
  const rows = QUESTION_KINDS[answer.type].rowsOf(question, answer);
  const view = make("article", { class: "answer" });
  view.dataset.question = question.id;
  view.append(
    headingOf(question),
    make("div", { class: "verdict" }, make("p", { class: "verdict-words", text: verdictOf(answer, rows) }), adviceView(answer)),
    make("ul", { class: "bars" }, ...rows.map((row) => barOf({ ...row, words: percent(row.share) }))),
  );
  if (answer.type === "score") view.append(scaleOf(question, answer));
  return view;
}

/** @param {QuestionDraft} question a yes/no question may say only when its answer is yes */
export function headingOf({ id, instructions, yes, no }) {
  const title = instructions || [yes && `Yes: ${yes}`, no && `No: ${no}`].filter(Boolean).join(" · ");
  return make("h3", {}, make("code", { text: id }), make("span", { text: title }));
}

/**
 * The one verdict: the likeliest option or level, or yes or no in words that are as strong as its probability.
 * @param {Answer} answer
 * @param {readonly Row[]} rows
 */
function verdictOf(answer, rows) {
  if (answer.type !== "noul") return rows.find(({ isChosen }) => isChosen)?.label ?? "";
  const word = answer.noul >= 0.5 ? "yes" : "no";
  return { 4: word === "yes" ? "Yes" : "No", 3: `Probably ${word}`, 2: `Rather ${word}`, 1: "Could be either" }[
    surenessOf(answer).strength
  ];
}

/** @param {Answer} answer */
function adviceView(answer) {
  const { words, strength, hint } = adviceOf(answer);
  const signs = make("span", { class: "strength" }, ...[1, 2, 3, 4].map((i) => make("span", { class: i <= strength ? "on" : "" })));
  signs.setAttribute("aria-hidden", "true");
  const view = make("p", { class: hint === "" ? "sureness" : "sureness unsure" }, signs, make("span", { class: "words", text: words }));
  if (hint !== "") view.append(make("span", { class: "hint", text: hint }));
  return view;
}

/**
 * A line from the lowest to the highest level, with a mark at the expected level. Only the verdict names a level.
 * @param {QuestionDraft} question
 * @param {ScoreAnswer} answer
 */
function scaleOf({ levels }, { score }) {
  const last = levels.length - 1;
  const ticks = levels.map((_, i) => placed("tick", i / last));
  const line = make("div", { class: "scale" }, ...ticks, placed("mark", score / last));
  line.setAttribute("aria-hidden", "true");
  return make(
    "div",
    { class: "scale-box" },
    line,
    make("span", { text: levels[0] ?? "" }),
    make("span", { class: "expected", text: `expected level: ${score.toFixed(2)} of ${last}` }),
    make("span", { text: levels[last] ?? "" }),
  );
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
