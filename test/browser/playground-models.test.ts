import { describe, expect, it } from "vitest";
import { standInForBase } from "../support/relative-pack.ts";
import { decide, playgroundSuite, question, textOf } from "./support/playground.ts";
import { taughtPage } from "./support/teaching.ts";
import type { Page } from "playwright-core";

const QUICK = "umpire-2: quick";
const BASE = "umpire-3-base: right more often, slower";

async function openSettings(page: Page): Promise<ReturnType<Page["getByLabel"]>> {
  await page.getByText("Settings").click();
  return page.getByLabel("Model", { exact: true });
}

const linesIn = (page: Page): Promise<string[]> => page.locator("#model-facts li").allInnerTexts();
const modelOf = async (page: Page, id: string): Promise<unknown> => (JSON.parse(await textOf(page, id)) as { model: unknown }).model;

describe("the playground's choice of a model", () => {
  const playground = playgroundSuite(standInForBase);

  it("has each model's size, and how fast it answered here; what is copied names the one that was chosen", async () => {
    const { page, problems } = await playground.visit();
    const choice = await openSettings(page);
    await expect
      .poll(() => linesIn(page), { timeout: 30_000 })
      .toEqual([
        expect.stringMatching(/^umpire-2: 2\d\.\d MB to fetch once\. Not asked yet\.$/),
        expect.stringMatching(/^umpire-3-base: 0\.\d MB to fetch once\. Not asked yet\.$/),
      ]);
    await expect(page.locator("#first-bytes").textContent()).resolves.toMatch(/^3\d MB$/);
    await decide(page);
    const [quick, base] = await linesIn(page);
    expect(quick).toMatch(/ Its last answer took [\d,.]+ ms for [\d,]+ tokens\.$/);
    expect(base).toContain("Not asked yet.");
    expect(await modelOf(page, "response-json")).toBe("umpire-2");
    expect(await modelOf(page, "request-json")).toBe("latest");

    await choice.selectOption(BASE);
    expect(await modelOf(page, "request-json")).toBe("umpire-3-base");
    await expect(textOf(page, "library-code")).resolves.toContain('model: "umpire-3-base"');
    await expect(textOf(page, "http-code")).resolves.toContain('"model": "umpire-3-base"');
    await decide(page);
    expect(await modelOf(page, "response-json")).toBe("umpire-3-base");
    await expect(page.locator("#facts").innerText()).resolves.toContain("umpire-3-base");
    const after = await linesIn(page);
    expect(after[0]).toBe(quick);
    expect(after[1]).toMatch(/ Its last answer took [\d,.]+ ms for [\d,]+ tokens\.$/);
    // An edit shows the request anew, for the same model.
    await question(page, 1).getByLabel("Question", { exact: true }).fill("Which team?");
    expect(await modelOf(page, "request-json")).toBe("umpire-3-base");
    await choice.selectOption(QUICK);
    expect(await modelOf(page, "request-json")).toBe("latest");
    await expect(textOf(page, "library-code")).resolves.not.toContain("umpire-");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("a lesson in a playground of two models", () => {
  const playground = playgroundSuite(standInForBase);

  it("answers with the model that it was learned with, and waits while another one answers", async () => {
    const { page, problems } = await taughtPage(playground);
    const choice = await openSettings(page);
    await choice.selectOption(BASE);
    const note = question(page, 1).locator(".taught-note");
    await expect(note.innerText()).resolves.toMatch(/^taught with 18 examples\s+This lesson answers with umpire-2 alone\.$/);
    await decide(page);
    expect(await modelOf(page, "response-json")).toBe("umpire-3-base");
    await expect(textOf(page, "response-json")).resolves.not.toContain("x_lesson");
    await choice.selectOption(QUICK);
    await expect(note.innerText()).resolves.toBe("taught with 18 examples");
    await decide(page);
    await expect(textOf(page, "response-json")).resolves.toContain("x_lesson");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("the playground on a site with its own model alone", () => {
  const playground = playgroundSuite();

  it("says so in one line, and offers no other", async () => {
    const { page, problems } = await playground.visit();
    const choice = await openSettings(page);
    await expect
      .poll(() => linesIn(page), { timeout: 30_000 })
      .toEqual([
        expect.stringMatching(/^umpire-2: 2\d\.\d MB to fetch once\. Not asked yet\.$/),
        "This site has no umpire-3-base, which is right more often. Install umpire-base, then start or write the playground anew.",
      ]);
    await expect(choice.locator("option:enabled").allInnerTexts()).resolves.toEqual([QUICK]);
    await decide(page);
    expect(await modelOf(page, "response-json")).toBe("umpire-2");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
