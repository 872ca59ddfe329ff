// @ts-check
// "Copy link" and opening such a link. The address shows the link only as long as it holds what the fields hold.
import { copy } from "./copy.js";
import { announce, byId, find } from "./dom.js";
import { toRequest } from "./draft.js";
import { fromFragment, isLink, toFragment } from "./link.js";
import { toDraft } from "./open-request.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Request} Request */

const SHOWN_MS = 2000;
/** More fields than these would make the page slow. */
const MAX_ROWS = 2000;

const button = byId("copy-link");
const words = find(button, "span");
const note = byId("link-note");
/** The request in the address, as JSON. */
let linked = "";

/**
 * @param {() => Request | undefined} requestNow undefined if something is missing, which is shown then
 * @param {(message: string) => void} onRefused
 */
export function wireCopyLink(requestNow, onRefused) {
  const usual = words.textContent;
  button.addEventListener("click", async () => {
    const request = requestNow();
    if (request === undefined) return;
    try {
      const fragment = await toFragment(request);
      showInAddress(fragment, request);
      const isCopied = await copy(location.href);
      words.textContent = isCopied ? "Link copied" : "Link made";
      setTimeout(() => (words.textContent = usual), SHOWN_MS);
      const where = isCopied ? "The link is copied." : "The browser did not allow copying. The link is in the address bar: copy it there.";
      note.textContent = `${where} It holds the text and the questions, and nothing was sent: who gets the link can read them.`;
      note.hidden = false;
      announce(note.textContent);
    } catch (error) {
      onRefused(/** @type {Error} */ (error).message);
    }
  });
}

/**
 * Takes the link out of the address, unless it holds this request.
 * @param {Request} [request]
 */
export function withdrawLink(request) {
  if (request !== undefined && JSON.stringify(request) === linked) return;
  note.hidden = true;
  if (isLink(location.hash)) history.replaceState(null, "", location.pathname + location.search);
}

/**
 * @param {string} fragment
 * @returns {Promise<Draft | undefined>} undefined if the fragment is no link of this page
 * @throws {Error} with a message for the user, if the link is broken
 */
export async function draftOf(fragment) {
  if (!isLink(fragment)) return undefined;
  const request = await fromFragment(fragment);
  // An object without a text is a request whose text is still to be written.
  const draft = toDraft(typeof request === "object" && request !== null ? { state: "", ...request } : undefined);
  if (draft === undefined) throw new Error("This link holds no request that this page can show.");
  const rows = draft.questions.reduce((sum, { options, levels }) => sum + 1 + options.length + levels.length, 0);
  if (rows > MAX_ROWS) throw new Error("This link holds more questions than this page can show.");
  return draft;
}

/**
 * @param {string} fragment
 * @param {Request} request that it holds
 */
export function showInAddress(fragment, request) {
  linked = JSON.stringify(request);
  history.replaceState(null, "", location.pathname + location.search + fragment);
}

/**
 * @param {Draft} one
 * @param {Draft} other
 */
export function makeTheSameRequest(one, other) {
  const [first, second] = [one, other].map((draft) => JSON.stringify(toRequest(draft).request));
  return first === second;
}
