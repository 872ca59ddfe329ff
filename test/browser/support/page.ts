import type { Browser, BrowserContext, Page } from "playwright-core";
import type * as entry from "umpire";
import type { Site } from "./site.ts";

declare global {
  // Set by the test page's script, for the functions passed to `page.evaluate`.
  var umpire: typeof entry;
  /** A decider that a test keeps in the page for its next step. */
  var decider: entry.LazyDecider;
}

/** Opens a page of the site and waits for its script. */
export async function openPage(browser: Browser | BrowserContext, site: Pick<Site, "origin">, path = "/"): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(site.origin + path);
  await page.waitForFunction(() => "umpire" in globalThis);
  return page;
}

/** Starts recording what the page must not do: uncaught errors and requests to other origins. */
export function problemsOf(page: Page, site: Site): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.context().on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${site.origin}/`) && !url.startsWith("data:")) problems.push(`request: ${url}`);
  });
  return problems;
}
