// @ts-check
// What can be done with an answer: say whether it is right, see which passages made it, and teach its question.
import { announce, icon, make } from "./dom.js";
import { QUESTION_KINDS } from "./question-kinds.js";
import { answersOf, answerWords } from "./read-examples.js";
import { addExamples, allLessons, exampleFor, examplesOf, keyOf, removeExample, whenTaught, MIN_EXAMPLES } from "./taught.js";

/** @typedef {import("./draft.js").Question} Question */
/** @typedef {import("./draft.js").QuestionDraft} QuestionDraft */
/** @typedef {import("./index.browser.js").Answer} Answer */
/** @typedef {import("./index.browser.js").Lesson} Lesson */
/** @typedef {{ id: string, state: unknown, question: Question, answer: Answer }} Answered a question, and what it was asked about */
/**
 * @typedef {object} Tools
 * @property {(answered: Answered, button: HTMLElement) => void} explain
 * @property {(question: QuestionDraft) => void} teach
 * @property {(lesson: Lesson) => void} forget
 */

/** @type {Tools} */
let tools;
/** @type {(() => void)[]} bring the shown tools up to date */
let updates = [];

/** @param {Tools} given */
export function wireAnswerTools(given) {
  tools = given;
  whenTaught(() => updates.forEach((update) => update()));
}

/** To be called before answers are shown that replace all others. */
export function dropAnswerTools() {
  updates = [];
}

/**
 * @param {Answered} answered
 * @param {QuestionDraft} draft of the question
 */
export function answerTools(answered, draft) {
  const { id, question, answer } = answered;
  const bar = make("div", { class: "answer-tools" });
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", `Answer to ${id}`);
  const explain = make("button", { text: "Explain" });
  explain.setAttribute("aria-expanded", "false");
  explain.addEventListener("click", () => tools.explain(answered, explain));
  const teach = make("button");
  teach.addEventListener("click", () => tools.teach(draft));
  updates.push(() => {
    const { length } = examplesOf(keyOf(question));
    teach.textContent = length === 0 ? "Teach …" : `Teach … (${length.toLocaleString("en")})`;
    teach.setAttribute("aria-label", `Teach, ${length} ${length === 1 ? "example" : "examples"}`);
  });
  bar.append(markView(answered), explain, teach);
  const lesson = allLessons().find((candidate) => candidate.id === answer.x_lesson);
  if (lesson !== undefined) bar.prepend(taughtView(lesson));
  updates.forEach((update) => update());
  return bar;
}

/** @param {Lesson} lesson that answered */
function taughtView(lesson) {
  const forget = make("button", { class: "link", text: "Forget lesson" });
  forget.addEventListener("click", () => tools.forget(lesson));
  const { answered } = lesson.examples;
  const mark = make("span", { class: "taught" }, icon("check"), `taught with ${answered.toLocaleString("en")} examples`);
  return make("p", { class: "taught-line" }, mark, forget);
}

/**
 * "Is it right?" What is marked becomes an example of the question.
 * @param {Answered} answered
 */
function markView({ state, question, answer }) {
  const key = keyOf(question);
  const given = QUESTION_KINDS[answer.type].statedOf(answer);
  const others = answersOf(question).filter((other) => other !== given);
  const right = markButton("check", "Right");
  const wrong = markButton("remove", "Wrong");
  const picker = /** @type {HTMLSelectElement} */ (make("select"));
  picker.setAttribute("aria-label", "The right answer");
  picker.append(option("", "It is …"), ...others.map((other, i) => option(String(i), answerWords(String(other), question))));
  picker.hidden = true;

  const update = () => {
    const marked = exampleFor(key, state)?.answer ?? undefined;
    const isWrong = marked !== undefined && marked !== given;
    right.setAttribute("aria-pressed", String(marked === given));
    // Still pressed while the right answer is being picked.
    wrong.setAttribute("aria-pressed", String(isWrong || (marked === undefined && !picker.hidden)));
    if (isWrong || marked === given) picker.hidden = !isWrong;
    picker.value = isWrong ? String(others.indexOf(marked)) : "";
  };
  updates.push(update);
  const isPressed = (/** @type {HTMLElement} */ button) => button.getAttribute("aria-pressed") === "true";
  const unmark = () => {
    picker.hidden = true;
    removeExample(key, state);
    update();
    announce("This is no example any more.");
  };
  right.addEventListener("click", () => {
    if (isPressed(right)) unmark();
    else mark(key, state, given);
  });
  wrong.addEventListener("click", () => {
    if (isPressed(wrong)) return unmark();
    picker.hidden = false;
    const [only] = others;
    if (others.length === 1 && only !== undefined) return mark(key, state, only);
    if (exampleFor(key, state) !== undefined) removeExample(key, state);
    update();
    picker.focus();
    announce("Pick the right answer.");
  });
  picker.addEventListener("change", () => {
    const picked = others[Number(picker.value)];
    if (picker.value === "" || picked === undefined) return removeExample(key, state);
    mark(key, state, picked);
  });
  return make("span", { class: "mark-group" }, make("span", { class: "mark-words", text: "Is it right?" }), right, wrong, picker);
}

/**
 * @param {string} key
 * @param {unknown} state
 * @param {string | boolean | number} answer
 */
function mark(key, state, answer) {
  addExamples(key, [{ state, answer }]);
  const count = examplesOf(key).length;
  const rest = MIN_EXAMPLES - count;
  announce(`Noted as an example: ${count} so far${rest > 0 ? `, ${rest} more to teach` : ""}.`);
}

/**
 * @param {string} sign
 * @param {string} text
 */
function markButton(sign, text) {
  const button = make("button", { class: "judgement" }, icon(sign), make("span", { text }));
  button.setAttribute("aria-pressed", "false");
  return button;
}

/**
 * @param {string} value
 * @param {string} text
 */
function option(value, text) {
  const element = /** @type {HTMLOptionElement} */ (make("option", { text }));
  element.value = value;
  return element;
}
