// @ts-check
// What travels between the popup and the page that owns the model: the offscreen document in Chromium, the background page in Firefox.
//
//   popup                         background                    owner of the model
//     | --- WAKE, one message ------> |  makes sure of it ----------> |
//     | <-- Awake ------------------- |                               |
//     | ==== a port named PORT ====================================== |
//     | --- Ask ----------------------------------------------------> |
//     | <-- Loading, many, while the model loads; then Loaded ------- |
//     | <-- Answered, or Failed ------------------------------------- |
//     | (closed: all calls that came by this port are aborted) -----> |

/** @import { Answer, JsonValue, Questions } from "./index.browser.js" */

export const WAKE = "wake";
export const PORT = "decide";

/**
 * @typedef {{ readonly ok: boolean }} Awake
 *
 * `call`: a number of the popup's own, which comes back with the answer.
 * @typedef {{ readonly call: number, readonly state: string | { readonly [key: string]: JsonValue }, readonly questions: Questions }} Ask
 *
 * @typedef {{ readonly type: "loading", readonly file: string, readonly loadedBytes: number, readonly totalBytes: number }} Loading
 * @typedef {{ readonly type: "loaded" }} Loaded
 *
 * @typedef {object} Facts  Who answered, and how long it took
 * @property {string} model
 * @property {string} device
 * @property {number} threads
 * @property {number} tookMs  of the answer alone, without the loading of the model
 *
 * @typedef {{ readonly [id: string]: Answer }} Answers
 * @typedef {{ readonly type: "answered", readonly call: number, readonly answers: Answers, readonly facts: Facts }} Answered
 * @typedef {{ readonly type: "failed", readonly call: number, readonly code: string, readonly message: string }} Failed
 */
