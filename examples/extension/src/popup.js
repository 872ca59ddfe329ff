// @ts-check
// What a click does: read the page, ask, show the answers.
import { connect } from "./connection.js";
import { readCurrentPage, stateOf } from "./current-page.js";
import { loadQuestions } from "./question-store.js";
import { toLibrary } from "./questions.js";
import { byId } from "./elements.js";
import { showAnswers, showPage, showProgress, showReading, showTrouble } from "./popup-view.js";
import { Trouble } from "./trouble.js";

/** @import { Ask } from "./protocol.js" */
/** @import { PageQuestion } from "./question-kinds.js" */

/** The current round of questions. Closing the popup ends it, too, because that closes the connection. */
let round = new AbortController();

byId("again").addEventListener("click", () => void start());
byId("options").addEventListener("click", () => void chrome.runtime.openOptionsPage().then(() => window.close()));
void start();

async function start() {
  round.abort();
  round = new AbortController();
  const { signal } = round;
  try {
    await askAll(signal);
  } catch (error) {
    if (!signal.aborted) showTrouble(error);
  }
}

/** @param {AbortSignal} signal */
async function askAll(signal) {
  showReading();
  const questions = await loadQuestions();
  if (questions.length === 0)
    throw new Trouble("There is nothing to ask", "You have removed all questions. Add some, or restore the default ones.");
  const page = await readCurrentPage();
  if (signal.aborted) return;
  showPage(page);

  const ofPage = questions.filter(({ about }) => about === "page");
  const ofSelection = questions.filter(({ about }) => about === "selection");
  const selected = page.selection !== "";
  const line = await connect(showProgress, signal);
  const answered = await Promise.all([
    ...asked(line, stateOf(page), ofPage),
    // Only the selected text: what stands around it would sway the answer.
    ...(selected ? asked(line, page.selection, ofSelection) : []),
  ]);
  if (!signal.aborted) showAnswers(answered, selected ? [] : ofSelection);
}

/**
 * @param {Awaited<ReturnType<typeof connect>>} line
 * @param {Ask["state"]} state
 * @param {readonly PageQuestion[]} questions
 * @returns one call for all questions, or none if there are no questions
 */
function asked(line, state, questions) {
  if (questions.length === 0) return [];
  const byNumber = Object.fromEntries(questions.map((question, i) => [`q${i}`, toLibrary(question)]));
  return [
    line.ask(state, byNumber).then(({ answers, facts }) => ({
      answers: questions.flatMap((question, i) => {
        const answer = answers[`q${i}`];
        return answer === undefined ? [] : [{ question, answer }];
      }),
      facts,
    })),
  ];
}
