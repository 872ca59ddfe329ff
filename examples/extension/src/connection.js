// @ts-check
// The popup's side of the protocol.
import { PORT, WAKE } from "./protocol.js";
import { Trouble } from "./trouble.js";

/** @import { Answered, Ask, Awake, Failed, Loaded, Loading } from "./protocol.js" */

/**
 * Opens a connection to the model's owner for one round of questions. Aborting `signal` or closing the popup closes it; pending calls then never
 * settle.
 * @param {(progress: Loading | Loaded) => void} onProgress reports on loading the model, which starts with the first question
 * @param {AbortSignal} signal
 */
export async function connect(onProgress, signal) {
  const awake = /** @type {Awake | undefined} */ (await chrome.runtime.sendMessage(WAKE));
  if (awake?.ok !== true) throw gone();
  const port = chrome.runtime.connect({ name: PORT });
  /** @type {Map<number, { resolve(answered: Answered): void, reject(error: Trouble): void }>} */
  const waiting = new Map();

  port.onMessage.addListener((message) => {
    const told = /** @type {Loading | Loaded | Answered | Failed} */ (message);
    if (told.type === "loading" || told.type === "loaded") return onProgress(told);
    const call = waiting.get(told.call);
    waiting.delete(told.call);
    if (told.type === "answered") call?.resolve(told);
    else call?.reject(new Trouble("No answer this time", told.message, told.code));
  });
  // Fires only if the other side disconnects, not if this side does.
  port.onDisconnect.addListener(() => waiting.forEach(({ reject }) => reject(gone())));
  signal.addEventListener("abort", () => port.disconnect());
  if (signal.aborted) port.disconnect();

  let calls = 0;
  return {
    /** @type {(state: Ask["state"], questions: Ask["questions"]) => Promise<Answered>} */
    ask(state, questions) {
      const call = calls++;
      return new Promise((resolve, reject) => {
        waiting.set(call, { resolve, reject });
        port.postMessage(/** @type {Ask} */ ({ call, state, questions }));
      });
    },
  };
}

function gone() {
  return new Trouble("No answer this time", "The browser closed the part of the extension that runs the model. Ask again.");
}
