import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { launchWithExtension } from "./chromium.ts";
import { ExtensionTarget } from "./extension-target.ts";

/** Builds examples/extension for a browser into a folder. */
export function buildExtension(browser: "chromium" | "firefox", out: string): void {
  execFileSync(process.execPath, [fileURLToPath(new URL("examples/extension/build.mjs", PACKAGE_ROOT)), browser, "--out", out]);
}

/** What the popup answered, by question. */
export type Verdicts = Readonly<Record<string, string>>;

/** A browser with the extension in it, and the finger that clicks its button. */
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
    const profile = mkdtempSync(join(tmpdir(), "umpire-profile-"));
    // With it, the DevTools protocol may load extensions and press their buttons, over the pipe that playwright uses.
    const context = await launchWithExtension(profile, extension, ["--enable-unsafe-extension-debugging", ...args]);
    const session = await context.browser()?.newBrowserCDPSession();
    if (session === undefined) throw new Error("playwright gives no session with the browser");
    // Loaded once more it is the same one, and its id is told.
    const { id } = await session.send("Extensions.loadUnpacked", { path: extension });
    return new ExtensionBrowser(context, id, session, profile);
  }

  /** An address of the extension's own. */
  url(file: string): string {
    return `chrome-extension://${this.id}/${file}`;
  }

  /**
   * Clicks the extension's button on the page. The browser opens the popup and grants `activeTab` for the page's tab, as it does when a user clicks:
   * neither the manifest nor the popup is another one for the test.
   */
  async click(page: Page): Promise<ExtensionTarget> {
    await page.bringToFront();
    const { targetInfos } = await this.#session.send("Target.getTargets", { filter: [{ type: "tab" }] });
    const tab = targetInfos.find(({ url }) => url === page.url());
    if (tab === undefined) throw new Error("the page is in no tab");
    await this.#session.send("Extensions.triggerAction", { id: this.id, targetId: tab.targetId });
    return ExtensionTarget.at(this.#session, this.url("popup.html"));
  }

  /** Clicks, reads the answers once they are there, and closes the popup. */
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
    rmSync(this.#profile, { recursive: true, force: true });
  }
}

/** The answers that a popup shows, as soon as it does. @throws {Error} with what it shows instead, when that is an error */
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

/** What the popup says went wrong, as soon as it does. */
export function troubleOf(popup: ExtensionTarget): Promise<string> {
  return popup.until(() => {
    const trouble = document.querySelector<HTMLElement>("#trouble");
    return trouble?.hidden === false ? trouble.innerText : undefined;
  });
}
