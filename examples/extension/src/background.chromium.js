// @ts-check
// Chromium's background is a service worker, which may not start workers and is ended when it is idle. So the model lives in an offscreen document,
// which this one makes; the popup then talks with it directly.
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

/** There may be one, and only one: making a second one throws. */
async function makeOffscreen() {
  const there = await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] });
  if (there.length > 0) return;
  await chrome.offscreen.createDocument({
    url: "offscreen.html",
    reasons: ["WORKERS"],
    justification: "Runs the model that answers the questions in a worker, on this device.",
  });
}
