// @ts-check
// What the popup shows, with one function for each state.
import { answerSection } from "./answer-bars.js";
import { byId, make } from "./elements.js";
import { Trouble } from "./trouble.js";
import { cutInWords, factsInWords, megabytes } from "./words.js";

/** @import { Answer } from "./index.browser.js" */
/** @import { Facts, Loaded, Loading } from "./protocol.js" */
/** @import { PageQuestion } from "./question-kinds.js" */
/** @import { PageReading } from "./read-page.js" */

/** @typedef {{ readonly question: PageQuestion, readonly answer: Answer }} AnsweredQuestion */

const LOADING = "Loading the model…";

export function showReading() {
  byId("trouble").hidden = true;
  byId("answers").replaceChildren();
  byId("facts").textContent = "";
  setStatus("Reading the page…");
}

/** @param {PageReading} page */
export function showPage(page) {
  byId("title").textContent = page.title || page.host || "This page";
  byId("host").textContent = page.host;
  const cut = cutInWords(page);
  byId("cut").textContent = cut;
  byId("cut").hidden = cut === "";
}

/** @param {Loading | Loaded} progress */
export function showProgress(progress) {
  if (progress.type === "loaded") return setStatus("Answering, on this device…");
  const { file, loadedBytes, totalBytes } = progress;
  const bar = /** @type {HTMLProgressElement} */ (byId("loading"));
  bar.hidden = false;
  bar.max = totalBytes;
  bar.value = loadedBytes;
  bar.title = `${file}: ${megabytes(loadedBytes)} of ${megabytes(totalBytes)}`;
  // A screen reader announces this once. The bar has the progress for those who want it.
  setStatus(LOADING);
}

/**
 * @param {readonly { readonly answers: readonly AnsweredQuestion[], readonly facts: Facts }[]} answered
 * @param {readonly PageQuestion[]} unasked questions about a selection, if nothing is selected
 */
export function showAnswers(answered, unasked) {
  const sections = answered.flatMap(({ answers }) => answers.map(({ question, answer }) => answerSection(question, answer)));
  byId("answers").replaceChildren(...sections, ...(unasked.length > 0 ? [hint(unasked)] : []));
  byId("facts").textContent = factsInWords(answered.map(({ facts }) => facts));
  setStatus(sections.length === 1 ? "One answer." : `${sections.length} answers.`);
}

/** @param {unknown} error */
export function showTrouble(error) {
  const { title, message, code } =
    error instanceof Trouble ? error : new Trouble("No answer this time", "Something in the extension failed unexpectedly.");
  byId("answers").replaceChildren();
  byId("trouble-title").textContent = title;
  byId("trouble-message").textContent = message;
  byId("trouble-code").textContent = code ?? "";
  byId("trouble").hidden = false;
  setStatus("");
}

/** @param {readonly PageQuestion[]} unasked */
function hint(unasked) {
  const list = make(
    "ul",
    {},
    unasked.map(({ instructions }) => make("li", { text: instructions })),
  );
  return make("section", { className: "hint quiet" }, [
    make("p", { text: "To get answers to these, select a text on the page and ask again:" }),
    list,
  ]);
}

/** @param {string} text */
function setStatus(text) {
  const status = byId("status");
  if (status.textContent !== text) status.textContent = text;
  if (text !== LOADING) byId("loading").hidden = true;
}
