import { build } from "esbuild";
import { createDecider } from "umpire";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRootPath } from "../support/package-root.ts";
import { launchChromium } from "./support/chromium.ts";
import { problemsOf } from "./support/page.ts";
import { Site } from "./support/site.ts";

/** A page whose app was written for OpenAI's API, with one line changed. */
const APP = `
import OpenAI from "openai";
import { createFetch } from "umpire/fetch";

const passThrough = (...request) => fetch(...request);
const client = new OpenAI({ apiKey: "local", dangerouslyAllowBrowser: true, maxRetries: 0, fetch: createFetch({ passThrough }) });
globalThis.app = {
  decide: (body) => client.decisions.create(body),
  refused: (body) => client.decisions.create(body).catch(({ status, message }) => [status, message]),
  models: () => new OpenAI({ apiKey: "local", dangerouslyAllowBrowser: true, baseURL: location.origin + "/v1", fetch: createFetch({ passThrough }) }).models.list(),
};
`;
const INPUT = "My card was charged twice for the same order.";
const BODY = {
  model: "gpt-6-luna",
  input: [{ role: "user", content: INPUT }],
  questions: [
    { type: "predicate", name: "refund", instructions: "Does the customer want a refund?" },
    { type: "choice", instructions: "Which team?", choices: [{ value: "billing" }, { value: "technical" }] },
  ],
};

interface App {
  decide(body: object): Promise<{ readonly model: string; readonly answers: readonly Readonly<Record<string, unknown>>[] }>;
  refused(body: object): Promise<[status: number, message: string]>;
  models(): Promise<{ readonly data: readonly unknown[] }>;
}
declare global {
  // Set by the page's script.
  var app: App;
}

/** @returns the script for a page, and the package's files that it holds */
async function bundled(contents: string): Promise<{ readonly script: string; readonly parts: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: packageRootPath },
    absWorkingDir: packageRootPath,
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
  });
  return { script: outputFiles[0]?.text ?? "", parts: Object.keys(metafile.inputs).filter((path) => path.startsWith("dist/")) };
}

describe("umpire/fetch in a page", () => {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    const { script } = await bundled(APP);
    const html =
      '<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,"><script type="module" src="/app.js"></script></html>';
    site = await Site.start({ pages: { "/": html, "/app.js": script } });
    site.faults.set("/v1/models", (_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"id":"theirs"}]}');
    });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it("answers OpenAI's client with the model in the page, sends nothing to another origin, and hands other requests on", async () => {
    const page = await browser.newPage();
    const problems = problemsOf(page, site);
    await page.goto(`${site.origin}/`);
    await page.waitForFunction(() => "app" in globalThis);
    const decision = await page.evaluate((body) => app.decide(body), BODY);
    await using decider = await createDecider();
    const { answers } = await decider.decide({
      state: INPUT,
      questions: {
        refund: { type: "noul", instructions: "Does the customer want a refund?" },
        team: { type: "choice", instructions: "Which team?", criteria: { billing: null, technical: null } },
      },
    });
    expect(decision).toMatchObject({
      model: "umpire-2",
      answers: [
        { type: "predicate", name: "refund", probability: expect.closeTo(answers.refund.noul, 1) as number },
        { type: "choice", name: null, choice: answers.team.choice },
      ],
    });
    const [status, message] = await page.evaluate((body) => app.refused(body), { ...BODY, model: "gpt-9" });
    expect([status, message]).toEqual([404, expect.stringContaining('There is no model "gpt-9"')]);
    expect(site.requests.filter(({ path }) => path.startsWith("/v1/"))).toEqual([]);
    expect((await page.evaluate(() => app.models())).data).toEqual([{ id: "theirs" }]);
    expect(site.count("/v1/models")).toBe(1);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("a page that uses umpire alone", () => {
  it("has nothing of the fetch in its script, and a page with it nothing for Node", async () => {
    const alone = await bundled('import { decide } from "umpire"; globalThis.app = decide;');
    expect(alone.parts).toEqual(["dist/index.browser.js"]);
    expect(alone.script).not.toContain("/v1/decisions");
    const { script, parts } = await bundled('import { createFetch } from "umpire/fetch"; globalThis.app = createFetch();');
    expect(parts).toContain("dist/fetch.js");
    expect(script).toContain("/v1/decisions");
    expect(script).not.toMatch(/from ?"node:|require\(/u);
  });
});
