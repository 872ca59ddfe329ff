// @ts-check
// Owns the decider, with its worker and model. Runs in the offscreen document (Chromium) or the background page (Firefox).
import { createDecider, DecideError } from "./index.browser.js";
import { PORT } from "./protocol.js";

/** @import { Decider, Progress } from "./index.browser.js" */
/** @import { Answered, Ask, Failed, Loaded, Loading } from "./protocol.js" */

/** Minimum time between two progress messages. The last one of each file is always sent. */
const PROGRESS_EVERY_MS = 100;

/**
 * Starts answering every popup that connects. The model is loaded at the first question.
 * @param {{ readonly idleMs: number, readonly onIdle: () => void }} [idle] calls `onIdle` after `idleMs` without a connection
 */
export function hostDecider(idle) {
  /** @type {Set<chrome.runtime.Port>} */
  const ports = new Set();
  // The extension includes only the wasm runtime, which is fast enough for a page's text. The one for WebGPU would add 17 MB.
  const decider = createDecider({
    device: "wasm",
    onProgress: throttled((progress) => ports.forEach((port) => port.postMessage(progress))),
  });
  addEventListener("pagehide", () => void decider.close());

  const wait = () => (idle === undefined ? undefined : setTimeout(idle.onIdle, idle.idleMs));
  let timer = wait();

  chrome.runtime.onConnect.addListener((port) => {
    if (port.name !== PORT) return;
    clearTimeout(timer);
    ports.add(port);
    const closed = new AbortController();
    /** @type {(message: Loaded | Answered | Failed) => void} */
    const tell = (message) => {
      if (!closed.signal.aborted) port.postMessage(message);
    };
    port.onMessage.addListener((message) => void answer(decider, /** @type {Ask} */ (message), tell, closed.signal));
    port.onDisconnect.addListener(() => {
      // The popup was closed, so its answers are no longer needed.
      closed.abort();
      ports.delete(port);
      if (ports.size === 0) timer = wait();
    });
  });
}

/**
 * @param {Decider} decider
 * @param {Ask} ask
 * @param {(message: Loaded | Answered | Failed) => void} tell
 * @param {AbortSignal} signal
 */
async function answer(decider, { call, state, questions }, tell, signal) {
  try {
    // Loads the model. Loading goes on if the popup is closed, for the next one.
    const { device, threads } = await decider.info();
    tell({ type: "loaded" });
    const start = performance.now();
    const { answers, model } = await decider.decide({ state, questions }, { signal });
    tell({ type: "answered", call, answers, facts: { model, device, threads, tookMs: performance.now() - start } });
  } catch (error) {
    const { code, message } = DecideError.isInstance(error) ? error : { code: "internal", message: "Something failed unexpectedly." };
    tell({ type: "failed", call, code, message });
  }
}

/** @param {(progress: Loading) => void} tell */
function throttled(tell) {
  let toldAtMs = -Infinity;
  return (/** @type {Progress} */ { file, loadedBytes, totalBytes }) => {
    const now = performance.now();
    if (now - toldAtMs < PROGRESS_EVERY_MS && loadedBytes < totalBytes) return;
    toldAtMs = now;
    tell({ type: "loading", file, loadedBytes, totalBytes });
  };
}
