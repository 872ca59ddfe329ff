import type { Browser } from "playwright-core";

/** What a page showed and did. */
export interface Visit {
  /** What the page's script wrote into its output. */
  readonly shown: unknown;
  /** URLs of the workers that the page started. */
  readonly workers: readonly string[];
  /** URLs of all that the page and its workers asked for. */
  readonly requests: readonly string[];
  /** Errors that nobody caught, and what the browser or the page wrote into the console as a warning or an error. */
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
    // Browsers ask for an icon on their own.
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
