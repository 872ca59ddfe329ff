// @ts-check

/**
 * @typedef {object} Budget  Maximum numbers of characters
 * @property {number} title
 * @property {number} description
 * @property {number} heading  of one heading
 * @property {number} headings  number of headings
 * @property {number} text
 * @property {number} selection
 *
 * @typedef {object} PageReading  What is read from a page: nothing that was typed into it, and only the host name of its address
 * @property {string} host
 * @property {string} title
 * @property {string} description
 * @property {readonly string[]} headings
 * @property {string} text
 * @property {number} textCharacters  length of the whole text, of which `text` may be only the start
 * @property {string} selection
 * @property {number} selectionCharacters
 * @property {readonly string[]} declared  kinds that the page itself names, in its data for search engines
 * @property {boolean} hasPasswordField
 * @property {boolean} hasVideo
 * @property {boolean} hasCode
 * @property {boolean} hasResultCount  whether it says how many search results there are
 * @property {number} cartButtons
 */

/**
 * Reads the page in which it runs. The browser sends it there as source text, so it can use nothing from outside the function.
 * @param {Budget} budget
 * @returns {PageReading}
 */
export function readPage(budget) {
  /** A region with less text is likely a frame around something else. */
  const MIN_MAIN_CHARACTERS = 200;
  /** Around the text on every page of a site. */
  const FRAME = "header, nav, footer, aside, dialog, [role=dialog]";
  /** A box that asks about cookies is shorter than this, in characters. */
  const MAX_CONSENT_CHARACTERS = 1000;
  const RESULT_COUNT = /\b\d[\d,.]* results?\b/i;
  const CART = /\b(?:add to|view|go to|your) (?:cart|basket|bag)\b|\bbuy (?:it )?now\b|\bcheck ?out\b/i;

  /** @type {(text: string) => string} */
  const tidy = (text) =>
    text
      .replace(/[^\S\n]+/g, " ")
      .replace(/ ?\n\s*/g, "\n")
      .trim();
  /** Cuts the text. The result is well-formed even if the cut splits a surrogate pair. @type {(text: string, characters: number) => string} */
  const cut = (text, characters) => (text.length > characters ? text.slice(0, characters).toWellFormed() : text);
  /** @type {(element: Element) => boolean} */
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });
  /** @type {(element: Element) => string} */
  const labelOf = (element) => (element instanceof HTMLInputElement ? element.value : (element.textContent ?? ""));

  // innerText leaves out hidden text and the contents of fields.
  /** @type {(element: Element | null) => string} */
  const textOf = (element) => (element instanceof HTMLElement ? tidy(element.innerText) : "");
  /** @type {(box: Element) => boolean} */
  const asksForConsent = (box) =>
    (box.textContent ?? "").length < MAX_CONSENT_CHARACTERS &&
    /\bcookies?\b/i.test(box.textContent ?? "") &&
    box.querySelector("button") !== null;
  const frames = [...document.querySelectorAll(FRAME), ...[...document.querySelectorAll("div, section, form")].filter(asksForConsent)];
  /** Leaves the page as it is: cuts the text of its frames out of the text. @type {(region: HTMLElement | null) => string} */
  const withoutFrames = (region) =>
    frames.filter((frame) => region?.contains(frame)).reduce((text, frame) => text.replace(textOf(frame), () => ""), textOf(region));
  /** @type {HTMLElement | null} */
  const main = document.querySelector("main, [role=main]") ?? document.querySelector("article");
  const texts = [withoutFrames(main), withoutFrames(document.body)].map(tidy);
  const text = texts.find((text) => text.length >= MIN_MAIN_CHARACTERS) ?? textOf(document.body);
  const headings = [...document.querySelectorAll("h1, h2, h3")]
    .filter((heading) => isVisible(heading) && !frames.some((frame) => frame.contains(heading)))
    .map((heading) => tidy(heading.textContent ?? ""));
  // A selection inside a field was typed by the user, so it is not read.
  const inField = document.activeElement?.matches("input, textarea") ?? false;
  const selection = inField ? "" : tidy(getSelection()?.toString() ?? "");
  const description = document.querySelector("meta[name=description]")?.getAttribute("content") ?? "";

  const openGraph = document.querySelector("meta[property='og:type']")?.getAttribute("content") ?? "";
  const linkedData = [...document.querySelectorAll('script[type="application/ld+json"]')].flatMap(({ textContent }) =>
    [...(textContent ?? "").matchAll(/"@type"\s*:\s*"(\w+)"/g)].map(([, type = ""]) => type),
  );
  // `video.other` is a video, and every page is a website.
  const declared = [openGraph.replace(/\..*$/, ""), ...linkedData].filter((type) =>
    /^(?:article|newsarticle|blogposting|recipe|product|event|jobposting|video|videoobject|discussionforumposting|qapage)$/i.test(type),
  );

  return {
    host: location.hostname,
    title: cut(tidy(document.title), budget.title),
    description: cut(tidy(description), budget.description),
    headings: headings
      .filter((heading) => heading !== "")
      .slice(0, budget.headings)
      .map((heading) => cut(heading, budget.heading)),
    declared: [...new Set(declared.map((type) => type.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()))],
    text: cut(text, budget.text),
    textCharacters: text.length,
    selection: cut(selection, budget.selection),
    selectionCharacters: selection.length,
    hasPasswordField: [...document.querySelectorAll("input[type=password]")].some(isVisible),
    hasVideo: [...document.querySelectorAll("video")].some(isVisible),
    hasCode: [...document.querySelectorAll("pre")].some(isVisible),
    hasResultCount: RESULT_COUNT.test(text),
    cartButtons: [...document.querySelectorAll("button, a, [role=button], input[type=submit], input[type=button]")].filter(
      (element) => CART.test(labelOf(element)) && isVisible(element),
    ).length,
  };
}
