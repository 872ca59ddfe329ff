import { expect, it } from "vitest";
import { launchChromium } from "./support/chromium.ts";
import { openPage } from "./support/page.ts";
import { Site } from "./support/site.ts";

// Other programs on this machine disturb some tries. Work that is not aborted would show in every one.
it("aborting a call ends the worker's work on it, not just the waiting", { retry: 2 }, async () => {
  const [browser, site] = await Promise.all([launchChromium(), Site.start()]);
  try {
    const page = await openPage(browser, site);
    const { wholeMs, nextMs, reason } = await page.evaluate(async () => {
      const decider = await umpire.createDecider({ device: "wasm" });
      const criteria = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`an answer with the number ${i}`, null]));
      const question = { type: "choice" as const, instructions: "Which one?", criteria };
      const long = {
        state: "The river rose again.",
        questions: Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`q${i}`, question])),
      };
      const short = { state: "Hello.", questions: { greeting: { type: "noul" as const, instructions: "Is it a greeting?" } } };
      await decider.decide(short);
      let start = performance.now();
      await decider.decide(long);
      const wholeMs = performance.now() - start;
      const aborted = decider.decide(long, { signal: AbortSignal.timeout(wholeMs / 10) });
      const reason = await aborted.catch((error: unknown) => String(error));
      start = performance.now();
      await decider.decide(short);
      return { wholeMs, nextMs: performance.now() - start, reason };
    });
    expect(reason).toContain("TimeoutError");
    // If the work went on, the next call would wait for nine tenths of it.
    expect(nextMs).toBeLessThan(wholeMs / 6);
  } finally {
    await browser.close();
    await site.close();
  }
});
