// @ts-check
// Connects the page's parts: the fields make a request, the request is answered, the answers are shown.
import { showAnswers } from "./answers.js";
import { showCode } from "./code.js";
import { wireCopyButtons } from "./copy.js";
import { wireDeviceCheck } from "./device-check.js";
import { announce, byId, find } from "./dom.js";
import { toRequest } from "./draft.js";
import { firstExample, wireExamples } from "./examples.js";
import { withdrawExplanations } from "./explanation.js";
import { showFacts } from "./facts.js";
import { openFile, readDraft, replaceDraft, showDraft } from "./fields.js";
import { DecideError } from "./index.browser.js";
import { endLoading, showLoading, startLoading } from "./loading.js";
import { recall, remember } from "./memory.js";
import { lessonIn } from "./lesson-file.js";
import { bytesToLoad, isKnown, modelNow, modelToName, noteSpeed } from "./models.js";
import { clearFailure, problemsOf, showFailure } from "./problems.js";
import { withdrawChecks } from "./question-check.js";
import { Session } from "./session.js";
import { wireSettings } from "./settings.js";
import { draftOf, makeTheSameRequest, showInAddress, wireCopyLink, withdrawLink } from "./share.js";
import { showSteps } from "./steps.js";
import { isSelected, showNews, wireTabs } from "./tabs.js";
import { allLessons, recallTaught } from "./taught.js";
import { showTaughtCards } from "./taught-cards.js";
import { giveUpLesson, openLesson, wireTeaching } from "./teaching.js";
import { wireText } from "./text-input.js";
import { wireUndo, withdrawUndo } from "./undo.js";
import { showWarnings } from "./warnings.js";

/** Long enough to finish typing a word, short enough to feel immediate. */
const LIVE_PAUSE_MS = 350;

const answersTab = byId("tab-answers");
const live = /** @type {HTMLInputElement} */ (byId("live"));
let session = new Session({});
/** @type {AbortController | undefined} */
let running;
/** The request to which the shown answers belong. */
let answered = "";
/** Its text or data, as JSON. */
let answeredState = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let livePause;

function onEdit() {
  withdrawUndo();
  const draft = readDraft();
  const { request } = toRequest(draft);
  remember(draft);
  showCode({ ...request, model: modelToName() });
  showSteps(draft);
  showTaughtCards();
  withdrawChecks();
  if (JSON.stringify(request.state) !== answeredState) withdrawExplanations();
  withdrawLink(request);
  byId("stale").hidden = answered === "" || answered === JSON.stringify(request);
  clearTimeout(livePause);
  if (live.checked) livePause = setTimeout(() => void decide({ isQuiet: true }), LIVE_PAUSE_MS);
}

/** @param {{ isQuiet?: boolean }} [options] quiet: while somebody types, what is not finished yet is no mistake */
async function decide({ isQuiet = false } = {}) {
  running?.abort();
  clearTimeout(livePause);
  const call = new AbortController();
  running = call;
  const draft = readDraft();
  const { request, problems } = toRequest(draft);
  if (problems.length > 0) {
    finish(call);
    if (!isQuiet) failIncomplete(problems);
    return;
  }
  byId("stop").hidden = false;
  byId("results").setAttribute("aria-busy", "true");
  const onLoad = () => {
    startLoading(draft.questions);
    showNews(answersTab, "…");
    if (!isQuiet) bringIntoView("results");
  };
  try {
    const outcome = await session.ask(/** @type {import("./session.js").DecideRequest} */ (request), call.signal, onLoad);
    if (call.signal.aborted) return;
    // Comes first, because it moves everything below it.
    finish(call);
    clearFailure();
    withdrawExplanations();
    showAnswers(draft.questions, request, outcome.response);
    showWarnings(outcome.response);
    showFacts(outcome);
    noteSpeed(outcome);
    byId("response-json").textContent = JSON.stringify(outcome.response, null, 2);
    answered = JSON.stringify(request);
    answeredState = JSON.stringify(request.state);
    byId("stale").hidden = answered === JSON.stringify(toRequest(readDraft()).request);
    showNews(answersTab, "new");
    if (!isQuiet) present(draft.questions.length, outcome.callMs);
  } catch (error) {
    if (call.signal.aborted) return;
    const failure = DecideError.isInstance(error) ? error : { message: String(error) };
    if (isQuiet && failure instanceof DecideError && failure.code === "invalid_request") return;
    fail(failure, problemsOf(failure, draft));
  } finally {
    finish(call);
  }
}

/** @param {AbortController} call */
function finish(call) {
  if (running !== call) return;
  running = undefined;
  endLoading();
  showNews(answersTab, "");
  byId("stop").hidden = true;
  byId("results").removeAttribute("aria-busy");
}

/**
 * @param {import("./problems.js").Failure} failure
 * @param {readonly import("./draft.js").Problem[]} [problems]
 */
function fail(failure, problems = []) {
  showFailure(failure, problems);
  bringIntoView("alert");
}

/** @param {readonly import("./draft.js").Problem[]} problems */
function failIncomplete(problems) {
  fail({ code: "invalid_request", message: "Something is still missing." }, problems);
}

/**
 * Another tab stays open: somebody reads there.
 * @param {number} count
 * @param {number} ms
 */
function present(count, ms) {
  withdrawUndo();
  const isSeen = isSelected(answersTab);
  if (isSeen) byId("results").scrollTop = 0;
  bringIntoView("results");
  const where = isSeen ? "" : " The answers are in the first tab.";
  announce(`${count} ${count === 1 ? "question" : "questions"} answered in ${Math.round(ms)} milliseconds.${where}`);
}

/** @returns {import("./draft.js").Request | undefined} undefined if something is missing, which is shown then */
function completeRequest() {
  const { request, problems } = toRequest(readDraft());
  if (problems.length === 0) return request;
  failIncomplete(problems);
  return undefined;
}

/**
 * Shows the request of a link. What it replaces can be brought back.
 * @param {string} fragment of the page's address
 */
async function openLink(fragment) {
  try {
    const draft = await draftOf(fragment);
    if (draft === undefined) return;
    if (!makeTheSameRequest(draft, readDraft())) replaceDraft(draft, "The request from the link is open.");
    showInAddress(fragment, toRequest(draft).request);
  } catch (error) {
    withdrawLink();
    fail({ message: /** @type {Error} */ (error).message });
  }
}

/**
 * In a single column, new content may be far below.
 * @param {string} id
 */
function bringIntoView(id) {
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  const { top } = byId(id).getBoundingClientRect();
  if (top < 0 || top > innerHeight * 0.6) byId(id).scrollIntoView({ behavior, block: "start" });
}

async function start() {
  if (/Mac|iP/.test(navigator.platform)) find(byId("decide"), "kbd").textContent = "⌘ ↵";
  wireTabs(byId("tabs"));
  wireCopyButtons();
  wireDeviceCheck();
  recallTaught();
  wireTeaching({
    session: () => session,
    decideAgain: () => answered !== "" && void decide({ isQuiet: true }),
    fail,
    failIncomplete,
  });
  wireUndo(byId("text"));
  const open = (/** @type {{ name: string, text: string }} */ file) => {
    const lesson = lessonIn(file.text);
    if (lesson === undefined) openFile(file);
    else void openLesson(lesson);
  };
  wireText(open, (message) => fail({ message }));
  wireSettings(
    (options) => {
      running?.abort();
      session.close();
      const onProgress = (/** @type {import("./index.browser.js").Progress} */ progress) =>
        next === session && showLoading(progress, bytesToLoad());
      // A lesson answers with the model that it was learned with. The others wait until theirs is chosen again.
      const lessons = allLessons().filter(({ model }) => model.id === modelNow() || !isKnown(model.id));
      const next = new Session({ ...options, onProgress }, lessons, giveUpLesson);
      session = next;
      showCode({ ...toRequest(readDraft()).request, model: modelToName() });
      showTaughtCards();
    },
    (error) => fail({ message: String(error) }),
  );
  byId("ask").addEventListener("input", onEdit);
  byId("decide").addEventListener("click", () => void decide());
  // Before this point a click would have been lost.
  /** @type {HTMLButtonElement} */ (byId("decide")).disabled = false;
  byId("stop").addEventListener("click", () => {
    running?.abort();
    byId("decide").focus();
    announce("Stopped.");
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void decide();
  });
  wireExamples(({ title, draft }) => replaceDraft(draft, `Example opened: ${title}.`));
  wireCopyLink(completeRequest, (message) => fail({ message }));
  // Read first, because what is shown next takes it out of the address.
  const fragment = location.hash;
  const draft = recall() ?? firstExample;
  if (draft !== undefined) showDraft(draft);
  withdrawUndo();
  await openLink(fragment);
  addEventListener("hashchange", () => void openLink(location.hash));
}

start().catch((error) => fail({ message: error.message }));
