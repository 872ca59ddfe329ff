import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { launchWithExtension } from "./chromium.ts";
import { ExtensionTarget } from "./extension-target.ts";

/** Builds examples/extension for a browser into a folder. */
export function buildExtension(browser: "chromium" | "firefox", out: string): void {
  execFileSync(process.execPath, [fileURLToPath(new URL("examples/extension/build.mjs", PACKAGE_ROOT)), browser, "--out", out]);
}

/** The popup's answers, by question. */
export type Verdicts = Readonly<Record<string, string>>;

/** A browser with the extension, and a way to click its button. */
export class ExtensionBrowser {
  readonly context: BrowserContext;
  readonly id: string;
  readonly #session: CDPSession;
  readonly #profile: string;

  private constructor(context: BrowserContext, id: string, session: CDPSession, profile: string) {
    this.context = context;
    this.id = id;
    this.#session = session;
    this.#profile = profile;
  }

  static async start(extension: string, args: readonly string[] = []): Promise<ExtensionBrowser> {
    const profile = tempDir();
    // This flag lets the DevTools protocol load extensions and press their buttons, over the pipe that Playwright uses.
    const context = await launchWithExtension(profile, extension, ["--enable-unsafe-extension-debugging", ...args]);
    const session = await context.browser()?.newBrowserCDPSession();
    if (session === undefined) throw new Error("Playwright opened no session with the browser");
    // Loading it again changes nothing, but returns its id.
    const { id } = await session.send("Extensions.loadUnpacked", { path: extension });
    return new ExtensionBrowser(context, id, session, profile);
  }

  /** The address of one of the extension's files. */
  url(file: string): string {
    return `chrome-extension://${this.id}/${file}`;
  }

  /**
   * Clicks the extension's button on the page. The browser opens the popup and grants `activeTab` for the page's tab, exactly as for a user, so the test
   * needs no changed manifest or popup.
   */
  async click(page: Page): Promise<ExtensionTarget> {
    await page.bringToFront();
    const { targetInfos } = await this.#session.send("Target.getTargets", { filter: [{ type: "tab" }] });
    const tab = targetInfos.find(({ url }) => url === page.url());
    if (tab === undefined) throw new Error("the page is in no tab");
    await this.#session.send("Extensions.triggerAction", { id: this.id, targetId: tab.targetId });
    return ExtensionTarget.at(this.#session, this.url("popup.html"));
  }

  /** Clicks, waits for the answers, and closes the popup. */
  async ask(page: Page): Promise<Verdicts> {
    const popup = await this.click(page);
    const verdicts = await verdictsOf(popup);
    await popup.close();
    return verdicts;
  }

  offscreen(): Promise<ExtensionTarget> {
    return ExtensionTarget.at(this.#session, this.url("offscreen.html"));
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

/** Waits for the answers in a popup. @throws {Error} if the popup shows an error instead, with its text */
export async function verdictsOf(popup: ExtensionTarget): Promise<Verdicts> {
  return popup.until(() => {
    const trouble = document.querySelector<HTMLElement>("#trouble");
    if (trouble?.hidden === false) throw new Error(trouble.innerText);
    if (document.querySelector("#facts")?.textContent === "") return undefined;
    const questions = [...document.querySelectorAll(".question")];
    const textOf = (question: Element, tag: string): string => question.querySelector(tag)?.textContent ?? "";
    return Object.fromEntries(questions.map((question) => [textOf(question, "h2"), textOf(question, "strong")]));
  });
}

/** Waits for the popup's error message. */
export function troubleOf(popup: ExtensionTarget): Promise<string> {
  return popup.until(() => {
    const trouble = document.querySelector<HTMLElement>("#trouble");
    return trouble?.hidden === false ? trouble.innerText : undefined;
  });
}
