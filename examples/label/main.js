// @ts-check
// A thin client: the session is in `umpire label`, and this page shows its state and sends what is pressed. So two pages show the same, and none keeps anything.
import { announce, byId, find } from "./dom.js";
import { ask, NoSecret } from "./server.js";
import { shownOptions, showOptions, wireFilter } from "./options.js";
import { showProgress } from "./progress.js";

/** @typedef {import("./server.js").State} State */

const AGAIN_MS = 1000;
/** A row that another page has changed was not read yet when a key is pressed so soon. */
const UNREAD_MS = 400;

/** @type {State | undefined} */
let shown;
/** Whether the state comes from another process than the one before: its numbers begin anew. */
let isNew = true;
/** The row whose answer is on its way. */
let sent = -1;
/** How many changes of this page are on their way. */
let changing = 0;
/** When another page changed the row. */
let changedMs = -UNREAD_MS;

/** @param {State} state */
function show(state) {
  // A reply may come after a later one.
  if (!isNew && shown && (state.revision < shown.revision || shown.isOver)) return;
  const before = shown;
  isNew = false;
  shown = state;
  byId("lost").hidden = true;
  say("problem", state.problem);
  byId("reading").hidden = state.state !== "reading";
  byId("asking").hidden = state.state !== "asking";
  showProgress(state);
  if (state.current && (before?.current?.row !== state.current.row || before.state !== "asking")) {
    if (before?.current && before.state === "asking" && changing === 0) changedMs = performance.now();
    byId("place").textContent = state.current.place;
    const text = byId("text");
    text.textContent = state.current.text;
    text.scrollTop = 0;
    byId("question").textContent = state.question.instructions;
    find(byId("none"), "kbd").textContent = state.keys.none;
    showOptions(state.question.options, answer);
  }
  for (const id of ["undo", "end-undo"]) /** @type {HTMLButtonElement} */ (byId(id)).disabled = !state.last || state.isOver;
  showEnd(state, before);
}

/**
 * @param {State} state
 * @param {State | undefined} before
 */
function showEnd(state, before) {
  const isDone = state.state === "done";
  byId("end").hidden = !isDone;
  byId("end-early").hidden = isDone || state.state === "failed";
  if (!isDone) return;
  byId("end-title").textContent = state.isOver ? "umpire label has ended" : "Enough is answered";
  byId("end-worth").textContent = `${state.reason} ${state.worth}`;
  const isTaught = state.learned !== undefined && state.learned !== "nothing";
  byId("end-files").textContent = `The answers are in ${state.out}${
    isTaught ? `, and what was learned is in ${state.lesson}.` : ". Nothing was learned yet."
  } The same command goes on later.`;
  byId("next").textContent = state.next;
  for (const id of ["next", "next-words"]) byId(id).hidden = !isTaught;
  for (const id of ["end-now", "go-on", "end-undo"]) byId(id).hidden = state.isOver;
  if (before?.state !== "done" || before.isOver !== state.isOver) byId("end").focus();
}

/**
 * @param {string} id
 * @param {string | undefined} words
 */
function say(id, words) {
  const place = byId(id);
  place.hidden = words === undefined;
  if (place.textContent !== (words ?? "")) place.textContent = words ?? "";
}

/** @param {unknown} error */
function lose(error) {
  sent = -1;
  if (shown?.isOver) return;
  isNew = true;
  say(
    "lost",
    error instanceof NoSecret
      ? error.message
      : `umpire label does not answer: it was ended, or stopped.${
          shown ? ` All answers that this page took are in ${shown.out}.` : ""
        } Start the same command again with --port ${location.port}, and this page goes on by itself.`,
  );
  byId("asking").hidden = true;
}

/**
 * @param {string} path
 * @param {object} [body]
 */
async function change(path, body = {}) {
  const row = sent;
  changing++;
  try {
    const { status, state, problem } = await ask(path, body);
    if (state) show(state);
    else say("problem", problem);
    if (status === 409) announce("Another page was first. This is what is asked now.");
  } catch (error) {
    lose(error);
  } finally {
    changing--;
    if (sent === row) sent = -1;
  }
}

/** @param {{ key: string } | { note: string }} given */
function answer(given) {
  const row = shown?.state === "asking" ? shown.current?.row : undefined;
  if (row === undefined || row === sent || !byId("lost").hidden || performance.now() - changedMs < UNREAD_MS) return;
  sent = row;
  void change("answer", { row, ...given });
}

function undo() {
  if (shown?.last && !shown.isOver) void change("undo", shown.last);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !shown || event.target instanceof HTMLInputElement) return;
  if (!(/** @type {HTMLInputElement} */ (byId("by-key")).checked)) return;
  const { keys } = shown;
  const key = event.key.toLowerCase();
  const isDone = shown.state === "done";
  const option = isDone ? undefined : shownOptions().find(({ press }) => press === key);
  if (option) answer({ key: option.key });
  else if (key === keys.undo || key === "backspace") undo();
  else if (isDone && key === keys.goOn && !shown.isOver) void change("go-on");
  else if (!isDone && key === keys.skip) answer({ note: "skipped" });
  else if (!isDone && key === keys.none) answer({ note: "none of these" });
  else if (key === "/" && !byId("finding").hidden) byId("filter").focus();
  else return;
  event.preventDefault();
}

/**
 * The second click of two belongs to the row before.
 * @param {string} id
 * @param {() => void} act
 */
function onClick(id, act) {
  byId(id).addEventListener("click", ({ detail }) => {
    if (detail < 2) act();
  });
}

function wireKeys() {
  const box = /** @type {HTMLInputElement} */ (byId("by-key"));
  const KEY = "umpire-label-by-key";
  try {
    box.checked = localStorage.getItem(KEY) !== "no";
    box.addEventListener("change", () => {
      localStorage.setItem(KEY, box.checked ? "yes" : "no");
    });
  } catch {
    // The choice is not kept.
  }
  document.addEventListener("keydown", onKey);
}

async function follow() {
  for (;;) {
    try {
      const { state, problem } = await ask(`state${isNew || !shown ? "" : `?after=${shown.revision}`}`);
      if (state) show(state);
      else say("problem", problem);
      if (state?.isOver) return;
    } catch (error) {
      lose(error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

onClick("none", () => answer({ note: "none of these" }));
onClick("skip", () => answer({ note: "skipped" }));
onClick("undo", undo);
onClick("end-undo", undo);
onClick("go-on", () => void change("go-on"));
onClick("end-now", () => void change("finish"));
onClick("end-early", () => void change("finish"));
wireFilter(answer);
wireKeys();
void follow();
