// @ts-check
// The dialog "Check this device": asks each device and precision that the browser has questions whose answers are known.
import { checkDevice } from "./check-device.js";
import { byId, find, make } from "./dom.js";
import { deviceName, sentence } from "./facts.js";
import { createDecider } from "./index.browser.js";

/** @typedef {import("./check-device.js").Checked} Checked */

const dialog = /** @type {HTMLDialogElement} */ (byId("device-check"));
const progress = byId("check-progress");
const results = byId("check-results");
const outcome = byId("check-outcome");
const start = /** @type {HTMLButtonElement} */ (byId("check-device"));

export function wireDeviceCheck() {
  start.addEventListener("click", () => void check());
  // The Escape key closes it, too.
  find(dialog, "button").addEventListener("click", () => dialog.close());
}

async function check() {
  const leaving = new AbortController();
  dialog.addEventListener("close", () => leaving.abort(), { once: true });
  results.replaceChildren();
  outcome.textContent = "";
  progress.hidden = false;
  dialog.showModal();
  try {
    const found = await checkAll(leaving.signal);
    outcome.textContent = `${summaryOf(found)} ${await choiceOf(leaving.signal)}`;
  } catch (error) {
    if (leaving.signal.aborted) return;
    outcome.textContent = `The check ended early: ${/** @type {Error} */ (error).message}`;
  } finally {
    // A check that was left must not touch the next one.
    if (!leaving.signal.aborted) progress.hidden = true;
  }
}

/** @param {AbortSignal} signal */
async function checkAll(signal) {
  const response = await fetch("./golden.json", { signal });
  if (!response.ok) throw new Error(`the known answers could not be loaded, the server answered with status ${response.status}.`);
  const goldens = await response.json();
  /** @type {Checked[]} */
  const found = [];
  for await (const checked of checkDevice({ createDecider, goldens, signal })) {
    found.push(checked);
    results.append(viewOf(checked));
  }
  return found;
}

/** @param {Checked} checked */
const isAbsent = ({ code }) => code === "backend_unavailable";

/** @param {Checked} checked */
function viewOf(checked) {
  const { msPerDecision, threads, device, message } = checked;
  const [verdict, kind] = verdictOf(checked);
  const facts = [
    msPerDecision !== undefined && `${msPerDecision.toFixed(1)} ms a question with ten options`,
    device === "wasm" && threads !== undefined && `${threads} ${threads === 1 ? "thread" : "threads"}`,
  ].filter((fact) => fact !== false);
  const view = make(
    "li",
    { class: `checked ${kind}` },
    make("strong", { text: nameOf(checked) }),
    make("span", { class: "check-verdict", text: verdict }),
  );
  if (facts.length > 0) view.append(make("p", { text: `${facts.join(", ")}.` }));
  view.append(make("p", { class: "note", text: message }));
  return view;
}

/**
 * @param {Checked} checked
 * @returns {[words: string, kind: "right" | "absent" | "wrong"]}
 */
function verdictOf(checked) {
  if (checked.ok) return ["right", "right"];
  if (isAbsent(checked)) return ["not there", "absent"];
  return [checked.maxDifference === undefined ? "failed" : "wrong", "wrong"];
}

/** @param {Pick<Checked, "device" | "precision">} checked */
const nameOf = ({ device, precision }) => `${deviceName(device)}, ${precision}`;

/** @param {readonly Checked[]} found */
function summaryOf(found) {
  const wrong = found.filter((checked) => !checked.ok && !isAbsent(checked));
  if (wrong.length > 0) return `Do not trust ${wrong.map(nameOf).join(" and ")} on this device.`;
  return "Everything that this browser has answers rightly.";
}

/**
 * What `auto` takes here, and why.
 * @param {AbortSignal} signal
 */
async function choiceOf(signal) {
  const decider = createDecider({ signal });
  try {
    const info = await decider.info();
    return `With the setting auto the page takes ${nameOf(info)}. ${sentence(info.deviceReason)}`;
  } finally {
    await decider.close();
  }
}
