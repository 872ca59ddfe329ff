import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tempDir } from "../support/temp-dir.ts";
import { EXAMPLE_PAGES } from "./support/example-pages.ts";
import type { ExtensionTarget } from "./support/extension-target.ts";
import { buildExtension, ExtensionBrowser, troubleOf, verdictsOf } from "./support/extension.ts";
import { RecordingProxy } from "./support/recording-proxy.ts";
import { Site } from "./support/site.ts";

/** Hosts that Chromium contacts on its own, for updates, accounts, messages, hints and form filling. */
const CHROMIUMS_OWN = [
  "accounts.google.com",
  "android.clients.google.com",
  "clients2.google.com",
  "clientservices.googleapis.com",
  "content-autofill.googleapis.com",
  "edgedl.me.gvt1.com",
  "mtalk.google.com",
  "optimizationguide-pa.googleapis.com",
  "redirector.gvt1.com",
  "safebrowsing.googleapis.com",
  "update.googleapis.com",
];
const KIND = "What kind of page is this?";
const HOSTILE = "Is this comment hostile?";
const GERMAN = `<!doctype html><html lang="de"><title>Der Bahnhof wird umgebaut</title><article><h1>Der Bahnhof wird umgebaut</h1>
  <p>Die Bauarbeiten am Bahnhof beginnen im Frühjahr und dauern zwei Jahre. Reisende müssen mit Umwegen rechnen.</p></article>`;

/** The parts of the extension interface that the tests use on the extension's own pages. */
declare const chrome: {
  readonly storage: {
    readonly local: { get(keys: null): Promise<unknown>; set(items: object): Promise<void>; clear(): Promise<void> };
  };
};

declare global {
  // The messages from the offscreen document to its worker, if a test records them: see `listen`.
  var sent: unknown[];
}

describe("the extension, clicked on a page", () => {
  const folder = tempDir();
  let proxy: RecordingProxy;
  let site: Site;
  let browser: ExtensionBrowser;
  let page: Page;
  let visits = 0;
  beforeAll(async () => {
    buildExtension("chromium", folder);
    proxy = await RecordingProxy.start();
    // The pages' own strict policy does not stop the extension from reading them.
    site = await Site.start({
      pages: { ...EXAMPLE_PAGES, "/german": GERMAN },
      isolated: false,
      policy: "default-src 'none'; img-src data:",
    });
    browser = await ExtensionBrowser.start(folder, [proxy.argument]);
    page = await browser.context.newPage();
    page.on("request", (request) => (visits += Number(request.isNavigationRequest() && request.url().startsWith(site.origin))));
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
    await proxy.close();
  });

  it("says what kind of page it is", async () => {
    await page.goto(`${site.origin}/login`);
    const popup = await browser.click(page);
    expect((await verdictsOf(popup))[KIND]).toBe("login form");
    // The first call loads the model and shows progress. At the end the bar's maximum is the size of a file.
    expect(await popup.evaluate(() => document.querySelector("progress")?.max)).toBeGreaterThan(1000);
    await popup.close();
    await page.goto(`${site.origin}/article`);
    expect((await browser.ask(page))[KIND]).toBe("article");
    await page.goto(`${site.origin}/shop`);
    expect((await browser.ask(page))[KIND]).toBe("shop");
  });

  it("shows a bar with a percentage for each answer, marks the chosen one not only by colour, and names the model", async () => {
    const popup = await browser.click(page);
    await verdictsOf(popup);
    const { rows, verdict, facts, status } = await popup.evaluate(() => ({
      rows: [...(document.querySelector(".bars")?.children ?? [])].map((row) => (row as HTMLElement).innerText.replace(/\s+/g, " ")),
      verdict: document.querySelector<HTMLElement>(".verdict")?.innerText,
      facts: document.querySelector("#facts")?.textContent,
      status: document.querySelector("[role=status]")?.textContent,
    }));
    expect(rows).toHaveLength(5);
    expect(rows[0]).toMatch(/^✓ shop \(chosen\) \d+%$/);
    expect(rows[1]).toMatch(/^[a-z ]+ <?\d+%$/);
    expect(verdict).toMatch(/^shop (?:fairly )?sure: \d\d of 100 such answers were right$/);
    expect(status).toBe("2 answers.");
    // There are several threads, because the manifest isolates the extension's pages.
    expect(facts).toMatch(/^Answered in [\d.]+ m?s on this device \(umpire-\d+, wasm, [2-4] threads\)$/);
    await popup.close();
  });

  it("asks questions about the selection only if there is one, and says so otherwise", async () => {
    await page.goto(`${site.origin}/article`);
    expect(await browser.ask(page)).not.toHaveProperty(HOSTILE);
    await select(page, "#hostile");
    expect(await browser.ask(page)).toMatchObject({ [KIND]: "article", [HOSTILE]: "Yes" });
    await select(page, "#kind");
    expect(await browser.ask(page)).toMatchObject({ [HOSTILE]: "No" });
  });

  it("calls its answers a guess where the page is in words that the model does not know", async () => {
    await page.goto(`${site.origin}/german`);
    const popup = await browser.click(page);
    await verdictsOf(popup);
    const verdict = await popup.evaluate(() => document.querySelector<HTMLElement>(".verdict")?.innerText);
    expect(verdict).toMatch(/ a guess: much of the text is in words that the model does not know$/);
    await popup.close();
  });

  it("reads the start of a long text, and says that it was cut", async () => {
    await page.goto(`${site.origin}/long`);
    const popup = await browser.click(page);
    await verdictsOf(popup);
    const cut = await popup.evaluate(() => document.querySelector<HTMLElement>("#cut")?.innerText);
    expect(cut).toBe("Only the first 700 of the text's 92,012 characters were read.");
    await popup.close();
  });

  it("reads nothing that was typed into a page, and stores nothing that it reads", async () => {
    const offscreen = await browser.offscreen();
    await listen(offscreen);
    await page.goto(`${site.origin}/login`);
    await page.getByLabel("Email").selectText();
    await browser.ask(page);
    const sent = await offscreen.evaluate(() => JSON.stringify(globalThis.sent));
    expect(sent).toContain("a password field");
    expect(sent).not.toContain("secret-of-the-user");
    expect(sent).not.toContain("someone@mail.example");
    const kept = await onOptionsPage(browser, async () => ({
      storage: await chrome.storage.local.get(null),
      cached: (await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))).flat().length,
      databases: await indexedDB.databases(),
      local: localStorage.length,
    }));
    expect(kept).toEqual({ storage: {}, cached: 0, databases: [], local: 0 });
  });

  it("stops the work when the popup is closed", async () => {
    // This keeps the model busy for some seconds.
    await onOptionsPage(browser, async () => {
      const options = Array.from({ length: 20 }, (_, i) => ({ key: `a long answer with the number ${i}`, description: null }));
      const questions = Array.from({ length: 12 }, (_, i) => ({ about: "page", type: "choice", instructions: `Question ${i}?`, options }));
      await chrome.storage.local.set({ questions });
    });
    await page.goto(`${site.origin}/long`);
    const offscreen = await browser.offscreen();
    await listen(offscreen);
    const popup = await browser.click(page);
    await offscreen.until(() => JSON.stringify(globalThis.sent).includes('"score"'));
    await popup.close();
    await offscreen.until(() => JSON.stringify(globalThis.sent).includes('"abort"'));
    await onOptionsPage(browser, () => chrome.storage.local.clear());
    expect(Object.keys(await browser.ask(page))).toContain(KIND);
  });

  it("answers again after the browser has closed the offscreen document", async () => {
    await page.goto(`${site.origin}/login`);
    const offscreen = await browser.offscreen();
    await offscreen.evaluate(() => {
      window.close();
    });
    await offscreen.gone();
    expect((await browser.ask(page))[KIND]).toBe("login form");
  });

  it("explains that the browser's own pages cannot be read", async () => {
    await page.goto("chrome://version");
    const popup = await browser.click(page);
    const trouble = await troubleOf(popup);
    expect(trouble).toContain("This page cannot be read");
    expect(trouble).toContain("Open another page");
    expect(trouble).not.toMatch(/chrome:|manifest|Error/);
    await popup.close();
  });

  it("has sent no requests", () => {
    // Each visit requested its page once. The extension, which read it there, sent no request.
    expect(site.requests).toHaveLength(visits);
    expect(proxy.hosts.filter((host) => !CHROMIUMS_OWN.includes(host))).toEqual([]);
  });
});

/** Starts recording what the document sends to its worker. */
async function listen(offscreen: ExtensionTarget): Promise<void> {
  await offscreen.evaluate(() => {
    globalThis.sent = [];
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its own `this` below
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message: unknown, ...rest: unknown[]) {
      globalThis.sent.push(message);
      Reflect.apply(postMessage, this, [message, ...rest]);
    };
  });
}

function select(page: Page, selector: string): Promise<void> {
  return page.locator(selector).evaluate((element) => getSelection()?.selectAllChildren(element));
}

/** Runs a function on a page of the extension, which has access to its storage. */
async function onOptionsPage<T>(browser: ExtensionBrowser, run: () => Promise<T>): Promise<T> {
  const options = await browser.context.newPage();
  try {
    await options.goto(browser.url("options.html"));
    return await options.evaluate(run);
  } finally {
    await options.close();
  }
}
