import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { launchChromium } from "./chromium.ts";
import { Site } from "./site.ts";

/** A site and a visitor for the running test. */
export interface FreshVisits {
  readonly site: Site;
  /** A browser context: each has its own cache. */
  readonly visitor: BrowserContext;
}

/** Gives each test of the file a site and a visitor of its own, in one browser. Read the fields inside a test or a hook. */
export function freshVisits(): FreshVisits {
  let browser: Browser;
  let site: Site;
  let visitor: BrowserContext;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await Site.start();
    visitor = await browser.newContext();
  });
  afterEach(async () => {
    await visitor.close();
    await site.close();
  });
  return {
    get site() {
      return site;
    },
    get visitor() {
      return visitor;
    },
  };
}
