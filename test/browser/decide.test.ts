import * as node from "umpire";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "./support/chromium.ts";
import { openPage, problemsOf } from "./support/page.ts";
import { Site } from "./support/site.ts";

describe("a page", () => {
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

  it("has the same exports as Node", async () => {
    const page = await openPage(browser, site);
    expect(await page.evaluate(() => Object.keys(umpire).sort())).toEqual(Object.keys(node).sort());
  });

  it("decides in its own worker under a strict policy, without a request to another origin", async () => {
    const page = await openPage(browser, site);
    const problems = problemsOf(page, site);
    const { answers, info } = await page.evaluate(async () => {
      const decider = await umpire.createDecider();
      const { answers } = await decider.decide({
        state: "My card was charged twice for one order. Please pay one of the two back.",
        questions: {
          route: {
            type: "choice",
            instructions: "Which team should handle this?",
            criteria: { billing: "payments, refunds", gardening: null },
          },
        },
      });
      const info = await decider.info();
      await decider.close();
      return { answers, info };
    });
    expect(answers.route.choice).toBe("billing");
    expect(info).toMatchObject({ model: "umpire-2", device: "wasm", precision: "int8", graph: "int8" });
    expect(info.threads).toBeGreaterThan(0);
    expect(info.deviceReason).toContain("WebGPU");
    expect(problems).toEqual([]);
  });
});
