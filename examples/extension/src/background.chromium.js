// @ts-check
// Chromium's background is a service worker, which cannot start workers and is stopped when idle. So the model runs in an offscreen document, which
// this script creates. The popup then talks to it directly.
import { WAKE } from "./protocol.js";

/** @import { Awake } from "./protocol.js" */

/** @type {Promise<void> | undefined} */
let making;

chrome.runtime.onMessage.addListener((message, _sender, reply) => {
  if (message !== WAKE) return false;
  making ??= makeOffscreen().finally(() => (making = undefined));
  making.then(
    () => reply(/** @type {Awake} */ ({ ok: true })),
    () => reply(/** @type {Awake} */ ({ ok: false })),
  );
  return true;
});

/** Only one offscreen document is allowed: creating a second one throws. */
async function makeOffscreen() {
  const there = await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] });
  if (there.length > 0) return;
  await chrome.offscreen.createDocument({
    url: "offscreen.html",
    reasons: ["WORKERS"],
    justification: "Runs the model that answers the questions in a worker, on this device.",
  });
}
