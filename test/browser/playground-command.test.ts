import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRootPath } from "../support/package-root.ts";
import { launchChromium } from "./support/chromium.ts";
import { decide } from "./support/playground.ts";

declare global {
  /** What a check needs, put there for the functions passed to `page.evaluate`. */
  var umpireCheck: { checkDevice: (options: unknown) => AsyncIterable<unknown>; createDecider: unknown };
}

interface Checked {
  readonly device: string;
  readonly precision: string;
  readonly ok: boolean;
  readonly maxDifference?: number;
  readonly msPerDecision?: number;
  readonly message: string;
  readonly code?: string;
}

describe("the page that umpire playground serves", () => {
  let server: ChildProcess;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
    server = spawn(process.execPath, ["dist/cli.js", "playground", "--port", "0"], { cwd: packageRootPath });
    const [line] = (await once(server.stdout ?? server, "data")) as [Buffer];
    const url = /http:\/\/\S+/.exec(line.toString())?.[0] ?? "";
    page = await browser.newPage();
    page.on("pageerror", ({ message }) => complaints.push(message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(url);
    // As text, since the test runner would rewrite an import inside of a function.
    await page.evaluate(`Promise.all(["check-device.js", "index.browser.js"].map((script) => import(new URL(script, location.href).href))).then(
      ([{ checkDevice }, { createDecider }]) => void (globalThis.umpireCheck = { checkDevice, createDecider }))`);
  });
  afterAll(async () => {
    await browser.close();
    server.kill();
  });

  it("decides in a page that may use threads, under its strict policy", async () => {
    await expect(page.evaluate(() => crossOriginIsolated)).resolves.toBe(true);
    await decide(page);
    await expect(page.locator(".answer").count()).resolves.toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  it("can check a device with golden requests, and says so when answers are not right or a device is not there", async () => {
    const checked = await page.evaluate(async () => {
      const { checkDevice, createDecider } = globalThis.umpireCheck;
      const goldens = (await (await fetch("./golden.json")).json()) as { cases: { answers: Record<string, unknown> }[] };
      const wasm = { device: "wasm", precision: "int8" };
      const results = [];
      for await (const result of checkDevice({ createDecider, goldens, placements: [wasm, { device: "cpu", precision: "int8" }] }))
        results.push(result);
      const [first] = goldens.cases;
      for (const id of Object.keys(first?.answers ?? {})) if (first) first.answers[id] = { probabilities: [0.9] };
      for await (const result of checkDevice({ createDecider, goldens, placements: [wasm] })) results.push(result);
      return results;
    });
    const [right, absent, wrong] = checked as [Checked, Checked, Checked];
    expect(right).toMatchObject({ device: "wasm", precision: "int8", ok: true });
    expect(right.message).toMatch(/^Right: the largest difference from the reference is 0\.0\d+; 0\.06 is allowed\.$/);
    expect(right.maxDifference).toBeLessThanOrEqual(0.06);
    expect(right.msPerDecision).toBeGreaterThan(0);
    expect(absent).toMatchObject({ device: "cpu", ok: false, code: "backend_unavailable" });
    expect(absent.message).toMatch(/^device must be "auto", "webgpu" or "wasm" on this platform/);
    expect(wrong).toMatchObject({ device: "wasm", ok: false });
    expect(wrong.message).toMatch(/^Wrong: /);
  });

  it("stops a check when it is aborted, with the signal's reason", async () => {
    const thrown = await page.evaluate(async () => {
      const { checkDevice, createDecider } = globalThis.umpireCheck;
      const goldens: unknown = await (await fetch("./golden.json")).json();
      const leaving = new AbortController();
      setTimeout(() => {
        leaving.abort(new Error("seen enough"));
      });
      const results = [];
      try {
        for await (const result of checkDevice({ createDecider, goldens, signal: leaving.signal })) results.push(result);
        return "nothing";
      } catch (error) {
        return `${String(results.length)} ${(error as Error).message}`;
      }
    });
    expect(thrown).toBe("0 seen enough");
  });
});
