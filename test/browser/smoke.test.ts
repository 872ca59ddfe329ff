import { createDecider } from "umpire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { difference, golden, mean, sameDecision, share } from "../support/golden.ts";
import { tempDir } from "../support/temp-dir.ts";
import { EXAMPLE_PAGES } from "./support/example-pages.ts";
import { buildExtension, ExtensionBrowser } from "./support/extension.ts";
import { asked, openIn } from "./support/golden-page.ts";
import { Site } from "./support/site.ts";

/** What every change must pass in Chromium, beside decide.test.ts: each part of it for a minute, and not more. golden.test.ts and extension*.test.ts go on from here. */

describe("the shortest golden vectors, on wasm in Chromium", () => {
  const short = golden.cases.filter(
    ({ stateTokens, answers }) =>
      stateTokens < 100 && Object.values(answers).every(({ probabilities }) => Object.keys(probabilities).length <= 20),
  );

  it("are answered in int8 within 0.06 of the reference, 0.01 on average, with the same decision in 96% and Node's token counts", async () => {
    const page = await openIn({ isolated: true, webgpu: false });
    const { answers, responses, info } = await asked(page, { device: "wasm", threads: 2 }, short);
    expect(info).toEqual({ device: "wasm", precision: "int8", threads: 2 });
    expect(answers.length).toBeGreaterThan(100);
    expect(answers.filter((answer) => !(difference(answer) <= 0.06))).toEqual([]);
    expect(mean(answers.map(difference))).toBeLessThan(0.01);
    expect(share(answers, sameDecision)).toBeGreaterThanOrEqual(0.96);
    await using decider = await createDecider();
    const onNode = await Promise.all(short.map(({ request }) => decider.decide(request)));
    expect(responses.map(({ usage }) => usage.input_tokens)).toEqual(onNode.map(({ usage }) => usage.input_tokens));
  });
});

describe("the extension, clicked on a page", () => {
  let site: Site;
  let browser: ExtensionBrowser;
  beforeAll(async () => {
    const folder = tempDir();
    buildExtension("chromium", folder);
    // The pages' own strict policy does not stop the extension from reading them.
    site = await Site.start({ pages: EXAMPLE_PAGES, isolated: false, policy: "default-src 'none'" });
    browser = await ExtensionBrowser.start(folder);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it("says what kind of page it is", async () => {
    const page = await browser.context.newPage();
    await page.goto(`${site.origin}/login`);
    expect(await browser.ask(page)).toMatchObject({ "What kind of page is this?": "login form" });
    await page.goto(`${site.origin}/article`);
    expect(await browser.ask(page)).toMatchObject({ "What kind of page is this?": "article" });
  });
});
