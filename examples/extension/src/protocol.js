// @ts-check
// The messages between the popup and the page that owns the model: the offscreen document in Chromium, the background page in Firefox.
//
//   popup                         background                    owner of the model
//     | --- WAKE, one message ------> |  makes sure it runs --------> |
//     | <-- Awake ------------------- |                               |
//     | ==== a port named PORT ====================================== |
//     | --- Ask ----------------------------------------------------> |
//     | <-- Loading, repeated while the model loads; then Loaded ---- |
//     | <-- Answered, or Failed ------------------------------------- |
//     | (closing the port aborts all calls made through it) --------> |

/** @import { Answer, JsonValue, Questions } from "./index.browser.js" */

export const WAKE = "wake";
export const PORT = "decide";

/**
 * @typedef {{ readonly ok: boolean }} Awake
 *
 * `call`: a number chosen by the popup, which comes back with the answer.
 * @typedef {{ readonly call: number, readonly state: string | { readonly [key: string]: JsonValue }, readonly questions: Questions }} Ask
 *
 * @typedef {{ readonly type: "loading", readonly file: string, readonly loadedBytes: number, readonly totalBytes: number }} Loading
 * @typedef {{ readonly type: "loaded" }} Loaded
 *
 * @typedef {object} Facts  What answered, and how long it took
 * @property {string} model
 * @property {string} device
 * @property {number} threads
 * @property {number} tookMs  for the answer, without loading the model
 *
 * @typedef {{ readonly [id: string]: Answer }} Answers
 * @typedef {{ readonly type: "answered", readonly call: number, readonly answers: Answers, readonly facts: Facts }} Answered
 * @typedef {{ readonly type: "failed", readonly call: number, readonly code: string, readonly message: string }} Failed
 */
