// @ts-check
// Firefox's background is a page, which may start workers: it owns the model itself. Firefox ends it when it is idle, and the model with it.
import { hostDecider } from "./decider-host.js";
import { WAKE } from "./protocol.js";

/** @import { Awake } from "./protocol.js" */

hostDecider();

// That this page hears the message is all that was asked for.
chrome.runtime.onMessage.addListener((message, _sender, reply) => {
  if (message === WAKE) reply(/** @type {Awake} */ ({ ok: true }));
  return false;
});
