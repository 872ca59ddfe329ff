import type { CDPSession } from "playwright-core";

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
}

const PATIENCE_MS = 30_000;
const EVERY_MS = 50;

/** An extension's popup or offscreen document. Playwright does not list them among a browser's pages. */
export class ExtensionTarget {
  readonly #browser: CDPSession;
  readonly #targetId: string;
  readonly #sessionId: string;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #calls = 0;

  private constructor(browser: CDPSession, targetId: string, sessionId: string) {
    this.#browser = browser;
    this.#targetId = targetId;
    this.#sessionId = sessionId;
    browser.on("Target.receivedMessageFromTarget", (event) => {
      if (event.sessionId !== sessionId) return;
      const reply = JSON.parse(event.message) as Reply;
      if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply);
    });
  }

  /** Waits for a target with this address. */
  static async at(browser: CDPSession, url: string): Promise<ExtensionTarget> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
      const targetId = await targetAt(browser, url);
      if (targetId !== undefined) {
        const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: false });
        const target = new ExtensionTarget(browser, targetId, sessionId);
        await target.until(() => document.readyState === "complete");
        return target;
      }
      await pause();
    }
    throw new Error(`no target has the address ${url}`);
  }

  /** Runs a function in the target and returns its result. The function is sent as source text. */
  async evaluate<Args extends readonly unknown[], T>(run: (...args: Args) => T | Promise<T>, ...args: Args): Promise<T> {
    const expression = `(${run.toString()})(...${JSON.stringify(args)})`;
    const { result, exceptionDetails } = (await this.#send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    })) as Evaluated;
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? "it threw");
    return result.value as T;
  }

  /** Waits until a function in the target returns something other than null, undefined and false. */
  async until<Args extends readonly unknown[], T>(run: (...args: Args) => T, ...args: Args): Promise<NonNullable<T>> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
      const value = await this.evaluate(run, ...args);
      if (value !== null && value !== undefined && value !== false) return value;
      await pause();
    }
    const shown = await this.evaluate(() => document.body.innerText);
    throw new Error(`this never became true: ${run.toString()}\nThe page shows: ${shown}`);
  }

  /** Clicks at the element's position, like a mouse. */
  async click(selector: string): Promise<void> {
    const { x, y } = await this.evaluate((selector) => {
      const element = document.querySelector(selector);
      if (element === null) throw new Error(`no element matches ${selector}`);
      element.scrollIntoView({ block: "center" });
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }, selector);
    for (const type of ["mousePressed", "mouseReleased"]) {
      await this.#send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
    }
  }

  async screenshot(): Promise<Buffer> {
    const { data } = (await this.#send("Page.captureScreenshot", {})) as { readonly data: string };
    return Buffer.from(data, "base64");
  }

  async close(): Promise<void> {
    await this.#browser.send("Target.closeTarget", { targetId: this.#targetId });
    await this.gone();
  }

  /** Waits until it is closed. */
  async gone(): Promise<void> {
    while ((await targetIds(this.#browser)).includes(this.#targetId)) await pause();
  }

  async #send(method: string, params: object): Promise<unknown> {
    const id = ++this.#calls;
    const answered = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    await this.#browser.send("Target.sendMessageToTarget", { sessionId: this.#sessionId, message: JSON.stringify({ id, method, params }) });
    const { result, error } = await answered;
    this.#waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}

/** Asks for targets of every type. By default the browser lists only some. */
async function targets(browser: CDPSession): Promise<{ readonly targetId: string; readonly type: string; readonly url: string }[]> {
  return (await browser.send("Target.getTargets", { filter: [{}] })).targetInfos;
}

async function targetIds(browser: CDPSession): Promise<string[]> {
  return (await targets(browser)).map(({ targetId }) => targetId);
}

/** Finds the target with this address. Leaves out tabs: a page's tab is a target with the same address. */
async function targetAt(browser: CDPSession, url: string): Promise<string | undefined> {
  return (await targets(browser)).find((target) => target.url === url && target.type !== "tab")?.targetId;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, EVERY_MS));
}
