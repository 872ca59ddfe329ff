// @ts-check
// Connects what can be done with questions and answers, teach, explain and check, to the page's decider.
import { wireAnswerTools } from "./answer-tools.js";
import { announce, byId } from "./dom.js";
import { problemsOf, toQuestion } from "./draft.js";
import { toggleExplanation } from "./explanation.js";
import { isKnown, modelNow } from "./models.js";
import { checkCard } from "./question-check.js";
import { appendQuestion, cardAt, readQuestions, wireQuestions } from "./questions.js";
import { keepLesson, keyOf, keyOfLesson, questionOf, whenTaught } from "./taught.js";
import { showTaughtCards } from "./taught-cards.js";
import { openTeachDialog, wireTeachDialog } from "./teach-dialog.js";
import { offerUndo } from "./undo.js";

/** @typedef {import("./index.browser.js").Lesson} Lesson */
/**
 * @typedef {object} Page
 * @property {() => import("./session.js").Session} session that answers now
 * @property {() => void} decideAgain answers anew what has been answered, if anything has
 * @property {(failure: import("./problems.js").Failure) => void} fail
 * @property {(problems: readonly import("./draft.js").Problem[]) => void} failIncomplete
 */

/** @type {Page} */
let page;

/** @param {Page} given */
export function wireTeaching(given) {
  page = given;
  whenTaught(showTaughtCards);
  wireQuestions((action, index) => {
    const questions = readQuestions();
    const problems = problemsOf(questions, index);
    if (problems.length > 0) return page.failIncomplete(problems);
    if (action === "teach") return openTeachDialog(/** @type {import("./draft.js").QuestionDraft} */ (questions[index]));
    void checkCard(/** @type {HTMLElement} */ (cardAt(index)), (question, signal) => page.session().check(question, signal));
  });
  wireAnswerTools({
    explain: (answered, button) => {
      const { id, state, question } = answered;
      const request = /** @type {import("./session.js").DecideRequest} */ ({ state, questions: { [id]: question } });
      void toggleExplanation(answered, button, (signal) => page.session().explain(request, id, signal));
    },
    teach: openTeachDialog,
    forget: (lesson) => {
      forget(lesson);
      byId("results").focus();
      offerUndo("Lesson forgotten.", () => void learn(lesson));
    },
  });
  wireTeachDialog({
    teach: (question, examples, options) => page.session().teach(question, examples, options),
    learn: (lesson) => page.session().learn(lesson),
    forget: (lesson) => page.session().forget(lesson),
    openLesson: (lesson) => void openLesson(lesson),
    onAnswersChange: () => page.decideAgain(),
  });
}

/**
 * Shows the question of a lesson from a file, if the page does not have it, and lets the lesson answer it.
 * @param {Lesson} lesson
 */
export async function openLesson(lesson) {
  const draft = questionOf(lesson);
  if (draft === undefined) return page.fail({ message: "The question of this lesson has parts that this page has no fields for." });
  announce("Opening the lesson.");
  if (!(await learn(lesson))) return;
  const key = keyOf(toQuestion(draft));
  const place = readQuestions().findIndex((question) => keyOf(toQuestion(question)) === key);
  if (place < 0) appendQuestion({ ...draft, id: "", idIsAuto: true });
  const where = place < 0 ? "its question was added below the others" : `it answers question ${place + 1} from now on`;
  offerUndo(`Lesson opened: ${where}.`, () => forget(lesson));
}

/**
 * @param {Lesson} lesson of an earlier session, which cannot be learned any more
 * @param {Error} error
 */
export function giveUpLesson(lesson, error) {
  keepLesson(keyOfLesson(lesson) ?? "", undefined);
  page.fail({ message: `A lesson was forgotten. ${error.message}` });
}

/**
 * @param {Lesson} lesson
 * @returns {Promise<boolean>} whether it was learned; if not, the page says why
 */
async function learn(lesson) {
  const { id } = lesson.model;
  if (id !== modelNow() && isKnown(id)) {
    page.fail({
      message: `This lesson was learned with ${id}, and answers with that model alone. Choose it in the settings, then try again.`,
    });
    return false;
  }
  try {
    await page.session().learn(lesson);
  } catch (error) {
    page.fail(/** @type {Error} */ (error));
    return false;
  }
  keepLesson(keyOfLesson(lesson) ?? "", lesson);
  page.decideAgain();
  return true;
}

/** @param {Lesson} lesson */
function forget(lesson) {
  page.session().forget(lesson);
  keepLesson(keyOfLesson(lesson) ?? "", undefined);
  page.decideAgain();
}
