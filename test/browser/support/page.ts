import type { Browser, BrowserContext, Page } from "playwright-core";
import type * as entry from "umpire";
import type { Site } from "./site.ts";

declare global {
  // What the test page's script sets; the functions that `page.evaluate` takes see it.
  var umpire: typeof entry;
  /** A decider that a test leaves in the page for its next step. */
  var decider: entry.LazyDecider;
}

/** A page of the site, once its script has run. */
export async function openPage(browser: Browser | BrowserContext, site: Pick<Site, "origin">, path = "/"): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(site.origin + path);
  await page.waitForFunction(() => "umpire" in globalThis);
  return page;
}

/** What the page did that it should not: errors that nobody caught, requests to other origins. Filled from now on. */
export function problemsOf(page: Page, site: Site): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.context().on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${site.origin}/`) && !url.startsWith("data:")) problems.push(`request: ${url}`);
  });
  return problems;
}
