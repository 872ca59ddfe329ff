// @ts-check
// Reads the current tab and turns it into the state that the model reads.
import { readPage } from "./read-page.js";
import { Trouble } from "./trouble.js";

/** @import { JsonValue } from "./index.browser.js" */
/** @import { Budget, PageReading } from "./read-page.js" */

/** In total about 1,200 tokens of English, and below the model's limit of 16,384 in any script. */
const BUDGET = /** @type {const} @satisfies {Budget} */ ({
  title: 200,
  description: 300,
  heading: 100,
  headings: 8,
  text: 3000,
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
  const { host, title, description, headings, text, hasPasswordField, prices, cartButtons } = page;
  const sale = [prices > 0 && `${prices} prices`, cartButtons > 0 && "buttons that put things into a cart"].filter(Boolean);
  return {
    ...(host !== "" && { site: host }),
    title,
    ...(description !== "" && { description }),
    ...(headings.length > 0 && { headings }),
    ...(hasPasswordField && { form: "a password field" }),
    ...(sale.length > 0 && { "for sale": sale.join(", ") }),
    text,
  };
}
