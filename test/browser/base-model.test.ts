import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { standInForBase } from "../support/relative-pack.ts";
import { launchChromium } from "./support/chromium.ts";
import { openPage, problemsOf } from "./support/page.ts";
import { Site } from "./support/site.ts";

const PLACE = "/umpire/models/umpire-3-base/";
const REQUEST = { state: "It rains.", questions: { rain: { type: "noul", instructions: "Does it rain?" } } } as const;

// A tiny pack stands in its place, with its name: a page finds it, checks it and names it in the same way.
describe("the base model in a page", () => {
  let folder: string;
  let browser: Browser;
  let site: Site;
  let page: Page;
  beforeAll(async () => {
    [folder, browser] = await Promise.all([standInForBase().then(({ url }) => fileURLToPath(url)), launchChromium()]);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await Site.start();
    page = await openPage(browser, site);
  });
  afterEach(() => site.close());

  /** What a decider answers that was given the base model by its name, or how it fails. */
  function decided(options: { assets?: string } = {}): Promise<{ model?: string; code?: string; message?: string }> {
    return page.evaluate(
      async ({ request, options }) => {
        const decider = umpire.createDecider({ model: "umpire-3-base", device: "wasm", ...options });
        try {
          return { model: (await decider.decide(request)).model };
        } catch (error) {
          const { code, message } = error as { code: string; message: string };
          return { code, message };
        } finally {
          await decider.close();
        }
      },
      { request: REQUEST, options },
    );
  }

  it("is found by its name where its files lie beside the others', and is never the default", async () => {
    await site.serve(PLACE, folder);
    const problems = problemsOf(page, site);
    const seen = await page.evaluate(async (request) => {
      const byDefault = umpire.createDecider({ device: "wasm" });
      const named = umpire.createDecider({ model: "umpire-3-base", device: "wasm" });
      const answers = await Promise.all([
        byDefault.decide(request),
        byDefault.decide({ ...request, model: "umpire-3-base" }),
        named.decide(request),
        named.decide({ ...request, model: "latest" }),
        named.decide({ ...request, model: "umpire-2" }),
      ]);
      const listed = await Promise.all([byDefault, named].map(async (decider) => decider.models()));
      const { model, calibration } = await named.info();
      await Promise.all([byDefault.close(), named.close()]);
      return {
        models: answers.map(({ model }) => model),
        listed: listed.map((models) => models.map(({ id, isDefault }) => (isDefault ? `${id}, the default` : id))),
        info: { model, calibration },
      };
    }, REQUEST);
    expect(seen.models).toEqual(["umpire-2", "umpire-3-base", "umpire-3-base", "umpire-3-base", "umpire-2"]);
    expect(seen.listed).toEqual([["umpire-2, the default"], ["umpire-3-base, the default", "umpire-2"]]);
    expect(seen.info).toMatchObject({ model: "umpire-3-base", calibration: { uncalibrated: true } });
    expect(problems).toEqual([]);
  });

  it("is looked for in the folder that the option assets names", async () => {
    const at = "/elsewhere/";
    // A folder apart, with a copy of all.
    for (const path of ["worker.js", "manifests.js", "language.js", "ort.wasm.bundle.min.mjs", "ort-wasm-simd-threaded.wasm"])
      site.faults.set(at + path, (_, response) => void response.writeHead(307, { location: `/umpire/${path}` }).end());
    const script = await page.evaluate(async () => (await fetch("/umpire/worker.js")).text());
    site.faults.set(`${at}worker.js`, (_, response) => void response.writeHead(200, { "content-type": "text/javascript" }).end(script));
    await site.serve(`${at}models/umpire-3-base/`, folder);
    expect(await decided({ assets: at })).toEqual({ model: "umpire-3-base" });
    expect(site.count(`${PLACE}manifest.json`)).toBe(0);
  });

  it.each([
    ["has no such file", 404, "text/plain", "404"],
    ["answers with a page for every path", 200, "text/html", "HTML page"],
  ])("that is not there, on a server that %s, is not found: the message says which files to copy where", async (_, status, type, why) => {
    for (const name of ["manifest.json", "manifest.json.sha256"])
      site.faults.set(
        PLACE + name,
        (_request, response) => void response.writeHead(status, { "content-type": type }).end("<!doctype html>"),
      );
    const { code, message } = await decided();
    expect(code).toBe("model_not_found");
    for (const part of [`${site.origin}${PLACE}`, "node_modules/umpire-base/umpire-3-base", "/models/umpire-3-base/", why])
      expect(message).toContain(part);
    // The copy is made, and the next decider finds it.
    await site.serve(PLACE, folder);
    expect(await decided()).toEqual({ model: "umpire-3-base" });
  });

  it("of which a file was not copied is not found, and that file is named", async () => {
    await site.serve(PLACE, folder);
    site.faults.set(`${PLACE}weights.bin`, (_, response) => void response.writeHead(404).end());
    const { code, message } = await decided();
    expect(code).toBe("model_not_found");
    expect(message).toContain("weights.bin");
  });

  it.each([
    ["manifest.json", "changed", "does not match manifest.json.sha256"],
    ["weights.bin", "changed", "SHA-256"],
    ["manifest.json", "failing", "cannot be read"],
  ])("whose %s is %s is refused as damaged", async (name, what, why) => {
    await site.serve(PLACE, folder);
    const whole = site.faults.get(PLACE + name);
    site.faults.set(PLACE + name, (request, response) => {
      if (what === "failing") return void response.writeHead(503).end();
      const end = response.end.bind(response);
      response.end = ((bytes: Buffer) => end(Buffer.from(bytes.map((byte, i) => (i === 100 ? byte ^ 1 : byte))))) as typeof response.end;
      whole?.(request, response);
    });
    const { code, message } = await decided();
    expect(code).toBe("model_invalid");
    expect(message).toContain(why);
  });
});
