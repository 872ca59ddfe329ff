import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { gatherPage, pageModels } from "../../../src/tools/playground/page.ts";
import { nodePlatform } from "../../../src/library/platform/node/platform.ts";
import type { CataloguedPack } from "../../../src/library/platform/platform.ts";
import { PACKAGE_ROOT, packageRootPath } from "../../support/package-root.ts";
import { launchChromium } from "./chromium.ts";
import { problemsOf } from "./page.ts";
import { Site, STRICT_POLICY } from "./site.ts";
import type { SiteOptions } from "./site.ts";

const DIST = new URL("dist/", PACKAGE_ROOT);

/** A strict policy that allows the page's own style sheets and images. */
const POLICY = `${STRICT_POLICY}; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'`;

/** The page's static files, gathered by `umpire playground --out <folder>`. @param base as if a package had brought it */
async function assemblePlayground(base: CataloguedPack | undefined): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "umpire-playground-"));
  const out = join(folder, "some/where");
  if (base === undefined)
    await promisify(execFile)(process.execPath, ["dist/cli.js", "playground", "--out", out], { cwd: packageRootPath });
  else {
    const own = (await nodePlatform(DIST).builtIn()).filter(({ packageName }) => packageName === undefined);
    await gatherPage(DIST, out, await pageModels([...own, base]));
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Serves the files under `/some/where/`, to catch paths that only work at the site's root. */
function servePlayground(folder: string, options: SiteOptions = {}): Promise<Site> {
  return Site.start({ folder, policy: POLICY, pages: {}, ...options });
}

export interface Visit {
  readonly page: Page;
  /** Errors, violations of the policy and requests to other origins. Must stay empty. */
  readonly problems: string[];
}

/** Opens the page as for a new visitor, with the first example. */
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

/** A server for the page and a browser, which live as long as the suite. */
export interface PlaygroundSuite {
  readonly site: Site;
  visit(options?: BrowserContextOptions, at?: Site): Promise<Visit>;
  /** Serves the same files with other options. */
  serve(options: SiteOptions): Promise<Site>;
}

/** Call it inside a `describe`. @param makeBase makes a pack for the page to offer besides its own */
export function playgroundSuite(makeBase?: () => Promise<CataloguedPack>): PlaygroundSuite {
  let browser: Browser;
  let site: Site;
  let files: Awaited<ReturnType<typeof assemblePlayground>>;
  beforeAll(async () => {
    files = await assemblePlayground(await makeBase?.());
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

/** Clears the text and removes all questions. */
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
  // Behind another tab, answers are there but not visible.
  await page.locator(".answer").first().waitFor({ state: "attached" });
  await page.locator("#results:not([aria-busy])").waitFor();
}

/** A panel's contents, visible or not. */
export function textOf(page: Page, id: string): Promise<string> {
  return page.locator(`#${id}`).evaluate((element) => element.textContent);
}

export function textField(page: Page): Locator {
  return page.getByRole("textbox", { name: "Text", exact: true });
}
