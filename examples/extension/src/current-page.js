// @ts-check
// From the tab that the user is on to what the model reads of it.
import { readPage } from "./read-page.js";
import { Trouble } from "./trouble.js";

/** @import { JsonValue } from "./index.browser.js" */
/** @import { Budget, PageReading } from "./read-page.js" */

/** All together some 1,200 tokens of English, and never the 16,384 that the model takes at most, in whatever script. */
const BUDGET = /** @type {const} @satisfies {Budget} */ ({
  title: 200,
  description: 300,
  heading: 100,
  headings: 8,
  text: 3000,
  selection: 2000,
});

/**
 * Reads the page of the tab that the user is on, which the browser allows because the user has just clicked the extension there.
 * @returns {Promise<PageReading>}
 * @throws {Trouble} where the browser does not let extensions read
 */
export async function readCurrentPage() {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  if (tab?.id === undefined) throw unreadable();
  let results;
  try {
    results = await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: readPage, args: [BUDGET] });
  } catch {
    // The browser's words name addresses and manifests, and help nobody who only clicked.
    throw unreadable();
  }
  const reading = results[0]?.result;
  if (reading === undefined || reading === null) throw unreadable();
  if (reading.title === "" && reading.text === "") throw new Trouble("This page is empty", "There is no text on it that could be read.");
  return reading;
}

function unreadable() {
  return new Trouble(
    "This page cannot be read",
    "Browsers keep extensions away from their own pages, from their stores, and from some viewers of files. Open another page, and ask there.",
  );
}

/**
 * The page as the model reads it. What only a look at the page's fields and buttons shows is said in words, and only where it is so: that a thing is
 * not there would put it in the model's mind.
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
