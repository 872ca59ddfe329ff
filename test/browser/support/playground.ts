import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { packageRootPath } from "../../support/package-root.ts";
import { launchChromium } from "./chromium.ts";
import { problemsOf } from "./page.ts";
import { Site, STRICT_POLICY } from "./site.ts";
import type { SiteOptions } from "./site.ts";

/** Strict, with style sheets and images of the page's own, which a playground has. */
const POLICY = `${STRICT_POLICY}; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'`;

/** The page's static files, as `npm run playground -- --out <folder>` gathers them. */
async function assemblePlayground(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "umpire-playground-"));
  await promisify(execFile)(process.execPath, ["examples/playground/serve.mjs", "--out", join(folder, "some/where")], {
    cwd: packageRootPath,
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Under `/some/where/`: a page that took itself for the site's root would fail here. */
function servePlayground(folder: string, options: SiteOptions = {}): Promise<Site> {
  return Site.start({ folder, policy: POLICY, pages: {}, ...options });
}

export interface Visit {
  readonly page: Page;
  /** Errors, violations of the policy and requests to other origins: there should be none. */
  readonly problems: string[];
}

/** The page as a new visitor finds it: with the first example in it. */
async function visit(browser: Browser, site: Site, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const problems = problemsOf(page, site);
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(`console: ${message.text()}`);
  });
  await page.goto(`${site.origin}/some/where/`);
  await page.getByRole("group", { name: "Question 1:" }).waitFor();
  return { page, problems };
}

/** The page served, and a browser, for as long as a suite's tests run. */
export interface PlaygroundSuite {
  readonly site: Site;
  visit(options?: BrowserContextOptions, at?: Site): Promise<Visit>;
  /** The same files once more, by a server of another kind. */
  serve(options: SiteOptions): Promise<Site>;
}

/** To be called where a suite's tests are described. */
export function playgroundSuite(): PlaygroundSuite {
  let browser: Browser;
  let site: Site;
  let files: Awaited<ReturnType<typeof assemblePlayground>>;
  beforeAll(async () => {
    files = await assemblePlayground();
    [browser, site] = await Promise.all([launchChromium(), servePlayground(files.folder)]);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
    await files.remove();
  });
  return {
    get site() {
      return site;
    },
    visit: (options, at = site) => visit(browser, at, options),
    serve: (options) => servePlayground(files.folder, options),
  };
}

/** Leaves nothing but an empty text and an empty list. */
export async function startEmpty(page: Page): Promise<void> {
  await textField(page).fill("");
  for (let left = await questions(page).count(); left > 0; left--)
    await page.getByRole("button", { name: `Remove question ${left}` }).click();
}

export function questions(page: Page): Locator {
  return page.getByRole("group", { name: /^Question \d+:/ });
}

export function question(page: Page, number: number): Locator {
  return page.getByRole("group", { name: `Question ${number}:` });
}

export async function decide(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Decide" }).click();
  await page.locator(".answer").first().waitFor();
  await page.locator("#results:not([aria-busy])").waitFor();
}

/** What a panel holds, whether it is shown or not. */
export function textOf(page: Page, id: string): Promise<string> {
  return page.locator(`#${id}`).evaluate((element) => element.textContent);
}

export function textField(page: Page): Locator {
  return page.getByRole("textbox", { name: "Text", exact: true });
}
