import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "./support/chromium.ts";
import { openPage, problemsOf } from "./support/page.ts";
import { Site } from "./support/site.ts";

describe("many rows in a page", () => {
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    browser = await launchChromium();
    site = await Site.start();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it("come from a stream, also where streams cannot be looped over, and are answered as alone", { timeout: 120_000 }, async () => {
    const page = await openPage(browser, site);
    const problems = problemsOf(page, site);
    const { expected, found, cancelled } = await page.evaluate(async () => {
      const texts = ["I am furious!", "Thank you.", "Thank you.", "x ".repeat(20_000), "Where is my parcel?"];
      const questions = { angry: { type: "noul", instructions: "Is the customer angry?" } } as const;
      const decider = umpire.createDecider({ device: "wasm" });
      let cancelled = 0;
      const streamed = (isIterable: boolean): ReadableStream<string> => {
        const left = [...texts];
        const stream = new ReadableStream<string>({
          pull: (controller) => {
            const next = left.shift();
            if (next === undefined) controller.close();
            else controller.enqueue(next);
          },
          cancel: () => {
            cancelled++;
          },
        });
        return isIterable ? stream : (Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined }) as ReadableStream<string>);
      };
      const expected: unknown[] = [];
      for (const [index, state] of texts.entries())
        expected.push(
          await decider.decide({ state, questions }).then(
            (response) => ({ index, ...response }),
            (error: unknown) => ({ index, code: (error as { code: string }).code }),
          ),
        );
      const found: unknown[][] = [];
      for (const isIterable of [true, false]) {
        const results: unknown[] = [];
        for await (const result of decider.decideMany(streamed(isIterable), { questions }))
          results.push(result.error === undefined ? result : { index: result.index, code: result.error.code });
        found.push(results);
      }
      for await (const { index } of decider.decideMany(streamed(false), { questions })) if (index === 1) break;
      await decider.close();
      return { expected, found, cancelled };
    });
    expect(expected[3]).toEqual({ index: 3, code: "input_too_long" });
    expect(found).toEqual([expected, expected]);
    expect(cancelled).toBe(1);
    expect(problems).toEqual([]);
  });
});
