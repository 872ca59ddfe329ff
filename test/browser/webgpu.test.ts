import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchChromium } from "./support/chromium.ts";
import { openPage } from "./support/page.ts";
import { processes } from "./support/processes.ts";
import { Site } from "./support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await Site.start();
});
afterAll(() => site.close());

let browser: Browser;
beforeEach(async () => {
  browser = await launchChromium({ webgpu: true });
});
afterEach(() => browser.close());

const REQUEST = { state: "It rains.", questions: { rain: { type: "noul", instructions: "Does it rain?" } } } as const;

describe("the device auto", () => {
  it("is wasm when a probe finds WebGPU slower: it says both times, and does not fetch WebGPU's runtime", async () => {
    const page = await openPage(browser, site);
    site.requests.length = 0;
    const info = await page.evaluate(async (request) => {
      await umpire.decide(request);
      const decider = umpire.createDecider();
      const info = await decider.info();
      await decider.close();
      return info;
    }, REQUEST);
    expect(info.device).toBe("wasm");
    expect(info.deviceReason).toMatch(/^WebGPU would take about \d+ ms for a request that takes wasm [\d.]+ ms$/);
    expect(site.requests.filter(({ path }) => path.includes("jspi"))).toEqual([]);
  });

  it("is wasm when the precision is one that WebGPU does not have", async () => {
    const page = await openPage(browser, site);
    const info = await page.evaluate(() => umpire.createDecider({ precision: "int8" }).info());
    expect(info).toMatchObject({ device: "wasm", precision: "int8", deviceReason: expect.stringContaining("int8") as string });
  });
});

describe.runIf(process.platform === "linux")("when the GPU is lost during a call", () => {
  it("wasm answers that call and all later ones, and info() says so", { timeout: 300_000 }, async () => {
    const page = await openPage(browser, site);
    const before = await page.evaluate(async () => {
      globalThis.decider = umpire.createDecider({ device: "webgpu" });
      const { device, precision } = await decider.info();
      return { device, precision };
    });
    // The software adapter has no fp16.
    expect(before).toEqual({ device: "webgpu", precision: "fp32" });
    const calls = page.evaluate(async (request) => {
      const responses = await Promise.all([decider.decide(request), decider.decide(request), decider.decide(request)]);
      return { rain: responses.map(({ answers }) => answers.rain.noul), info: await decider.info() };
    }, REQUEST);
    // The browser's GPU process dies, as it does when a driver crashes.
    for (const pid of processes("gpu-process")) process.kill(pid, "SIGKILL");
    const { rain, info } = await calls;
    expect(rain[0]).toBeGreaterThan(0.5);
    expect(new Set(rain).size).toBe(1);
    expect(info).toMatchObject({ device: "wasm", precision: "int8" });
    expect(info.deviceReason).toMatch(/^WebGPU failed during a call \(.*\): the call was answered by wasm$/s);
  });
});
