import type { Browser } from "playwright-core";

/** A page's output and behaviour. */
export interface Visit {
  /** The output of the page's script. */
  readonly shown: unknown;
  /** URLs of the workers started by the page. */
  readonly workers: readonly string[];
  /** URLs requested by the page and its workers. */
  readonly requests: readonly string[];
  /** Uncaught errors, and warnings and errors in the console. */
  readonly complaints: readonly string[];
}

/** Opens a page whose script writes JSON into its one `<output>`, and waits for it. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const page = await browser.newPage();
  const workers: string[] = [];
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("worker", (worker) => workers.push(worker.url()));
  page.context().on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => {
    const { url } = message.location();
    // Browsers request an icon on their own.
    if (["warning", "error"].includes(message.type()) && !url.endsWith("/favicon.ico")) complaints.push(`${message.text()} (${url})`);
  });
  const failed = new Promise<never>((_, reject) => {
    page.on("pageerror", ({ message }) => {
      reject(new Error(message, { cause: complaints }));
    });
  });
  failed.catch(() => undefined);
  await page.goto(url);
  const output = page.locator("output:not(:empty)");
  const text = await Promise.race([output.textContent({ timeout: 60_000 }), failed]);
  await page.context().close();
  return { shown: JSON.parse(text ?? "null"), workers, requests, complaints };
}
