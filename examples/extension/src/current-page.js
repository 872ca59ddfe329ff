// @ts-check
// Reads the current tab and turns it into the state that the model reads.
import { readPage } from "./read-page.js";
import { Trouble } from "./trouble.js";

/** @import { JsonValue } from "./index.browser.js" */
/** @import { Budget, PageReading } from "./read-page.js" */

/**
 * About 300 tokens of English: the start of a page tells what it is, more text costs time. In any script it is below the model's limit of 16,384 tokens.
 */
export const BUDGET = /** @type {const} @satisfies {Budget} */ ({
  title: 150,
  description: 200,
  heading: 80,
  headings: 5,
  text: 700,
  selection: 2000,
});

/**
 * Reads the current tab's page. The browser allows it because the user has just clicked the extension there.
 * @returns {Promise<PageReading>}
 * @throws {Trouble} if the browser does not let extensions read the page
 */
export async function readCurrentPage() {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  if (tab?.id === undefined) throw unreadable();
  let results;
  try {
    results = await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: readPage, args: [BUDGET] });
  } catch {
    // The browser's own message is about addresses and manifests, which does not help the user.
    throw unreadable();
  }
  const reading = results[0]?.result;
  if (reading === undefined || reading === null) throw unreadable();
  if (reading.title === "" && reading.text === "") throw new Trouble("This page is empty", "It has no text that could be read.");
  return reading;
}

function unreadable() {
  return new Trouble(
    "This page cannot be read",
    "Browsers do not let extensions read their own pages, their stores and some file viewers. Open another page and ask there.",
  );
}

/**
 * The page as the model reads it. Facts about the page's fields and buttons are added as words, but only if they are true: mentioning that something
 * is missing would sway the model towards it.
 * @param {PageReading} page
 * @returns {{ readonly [key: string]: JsonValue }}
 */
export function stateOf(page) {
  const { title, description, headings, text } = page;
  const has = [
    page.hasPasswordField && "a password field",
    page.hasVideo && "a video player",
    page.hasCode && "code",
    page.hasResultCount && "a list of search results",
    page.cartButtons > 0 && "a cart",
  ].filter(Boolean);
  return {
    ...(page.declared.length > 0 && { "kind of page": page.declared.join(", ") }),
    ...(has.length > 0 && { has: has.join(", ") }),
    title,
    ...(description !== "" && { description }),
    ...(headings.length > 0 && { headings }),
    text,
  };
}
