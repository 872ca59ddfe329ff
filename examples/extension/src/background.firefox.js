// @ts-check
// Firefox's background is a page, which can start workers, so it owns the model itself. Firefox stops it when idle, and the model with it.
import { hostDecider } from "./decider-host.js";
import { WAKE } from "./protocol.js";

/** @import { Awake } from "./protocol.js" */

hostDecider();

// Receiving the message is proof enough that this page is running.
chrome.runtime.onMessage.addListener((message, _sender, reply) => {
  if (message === WAKE) reply(/** @type {Awake} */ ({ ok: true }));
  return false;
});
