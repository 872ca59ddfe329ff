import type { BrowserContext, Page } from "playwright-core";
import type { DeciderInfo, Progress } from "umpire";
import type { DeciderOptions } from "umpire";
import { createReadStream } from "node:fs";
import type { ServerResponse } from "node:http";
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { PACK_URL } from "../../support/package-root.ts";
import { openPage } from "./page.ts";
import type { Site } from "./site.ts";

export const WEIGHTS = "/umpire/models/umpire-2/weights.bin";
export const WEIGHTS_PATH = fileURLToPath(new URL("weights.bin", PACK_URL));
export const { size: WEIGHTS_BYTES } = await stat(WEIGHTS_PATH);

export interface Visit {
  readonly choice: string;
  readonly info: DeciderInfo;
  readonly progress: readonly Progress[];
}

/** Opens a page, loads the model and decides. */
export async function visit(visitor: BrowserContext, site: Site, options: DeciderOptions = {}): Promise<Visit> {
  const page = await openPage(visitor, site);
  try {
    return await decideOn(page, options);
  } finally {
    await page.close();
  }
}

export function decideOn(page: Page, options: DeciderOptions = {}): Promise<Visit> {
  return page.evaluate(async (options) => {
    const progress: Progress[] = [];
    const decider = umpire.createDecider({ device: "wasm", ...options, onProgress: (event) => void progress.push(event) });
    try {
      const { answers } = await decider.decide({
        state: "My card was charged twice for one order.",
        questions: { topic: { type: "choice", instructions: "What is this about?", criteria: { billing: null, weather: null } } },
      });
      return { choice: answers.topic.choice, info: await decider.info(), progress };
    } catch (error) {
      // Only the message crosses to the test: the code goes into it.
      if (umpire.DecideError.isInstance(error)) throw new Error(`${error.code}: ${error.message} (${String(error.cause)})`);
      throw error;
    } finally {
      await decider.close();
    }
  }, options);
}

/** Sends the weights from byte `start` to `end`, and breaks the connection once these have arrived. */
export function breakOff(response: ServerResponse, start: number, end: number): void {
  const stream = createReadStream(WEIGHTS_PATH, { start, end: end - 1 });
  stream.on("end", () => setTimeout(() => response.destroy(), 1000)).pipe(response, { end: false });
}

/** Breaks the connection at byte `end` of the weights, `times` times, and then serves all of them. Answers ranges. */
export function breakWeightsAt(site: Site, end: number, times: number): void {
  site.faults.set(WEIGHTS, (request, response) => {
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const cut = times-- > 0;
    response.writeHead(start > 0 ? 206 : 200, {
      "content-length": WEIGHTS_BYTES - start,
      ...(start > 0 && { "content-range": `bytes ${start}-${WEIGHTS_BYTES - 1}/${WEIGHTS_BYTES}` }),
    });
    if (cut) breakOff(response, start, end);
    else createReadStream(WEIGHTS_PATH, { start }).pipe(response);
  });
}

/** Serves the weights up to byte `end`, and then sends nothing more, but leaves the connection open. */
export function stopWeightsAt(site: Site, end: number): void {
  site.faults.set(WEIGHTS, (_, response) => {
    response.writeHead(200, { "content-length": WEIGHTS_BYTES });
    createReadStream(WEIGHTS_PATH, { end: end - 1 }).pipe(response, { end: false });
  });
}

/** The ranges of all requests for a file so far; undefined for requests of the whole file. */
export function ranges(site: Site, path: string): (string | undefined)[] {
  return site.requests.filter((request) => request.path === path).map(({ range }) => range);
}
