import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "./support/chromium.ts";
import { openPage, problemsOf } from "./support/page.ts";
import { Site } from "./support/site.ts";

describe("a reading in a page", () => {
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

  it("answers as decide() does, bit for bit, and is freed when it is closed", { timeout: 120_000 }, async () => {
    const page = await openPage(browser, site);
    const problems = problemsOf(page, site);
    const { expected, found, kept, refused } = await page.evaluate(async () => {
      const state = "I ordered the blue kettle in May. The parcel came two days later, but the lid was cracked. ".repeat(40);
      const questions = { broken: { type: "noul", instructions: "Is something broken?" } } as const;
      const fresh = await umpire.createDecider({ device: "wasm", cacheBytes: 0 });
      const expected = await fresh.decide({ state, questions });
      const reading = await fresh.read(state);
      const kept = [(await fresh.info()).kept.heldBytes === reading.bytes && reading.bytes > 0];
      const found = [await reading.decide(questions), await reading.decide(questions)];
      await reading.close();
      kept.push((await fresh.info()).kept.heldBytes === 0);
      const refused = await reading.decide(questions).catch((error: unknown) => (error as { code: string }).code);
      await fresh.close();
      return { expected, found, kept, refused };
    });
    expect(found).toEqual([expected, expected]);
    expect(kept).toEqual([true, true]);
    expect(refused).toBe("closed");
    expect(problems).toEqual([]);
  });
});
