import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { contrasts } from "./support/contrast.ts";
import { decide, playgroundSuite } from "./support/playground.ts";
import { ask, dialog, openTeaching, taughtPage } from "./support/teaching.ts";

const CONTROLS = ["button", "textbox", "combobox", "checkbox", "tab", "progressbar", "DisclosureTriangle", "tabpanel"];
const TARGETS = ["button", "input[type=text]", "textarea", "select", "summary", "label.check"].map((kind) => `${kind}:visible`).join(", ");
const MIN_TARGET_PX = 40;

describe("the playground, for everyone", () => {
  const playground = playgroundSuite();

  it("names every control, uniquely among its kind in the same group", async () => {
    const { page, problems } = await playground.visit();
    await decide(page);
    await openEverything(page);
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const controls = nodes.filter(({ ignored, role }) => !ignored && CONTROLS.includes(String(role?.value)));
    expect(controls.length).toBeGreaterThan(60);
    const nameless = controls.filter(({ name }) => String(name?.value ?? "").trim() === "");
    expect(nameless.map(({ role, backendDOMNodeId }) => `${role?.value} ${backendDOMNodeId}`)).toEqual([]);
    const byGroup = await page
      .getByRole("group", { name: /^Question/ })
      .evaluateAll((groups) =>
        groups.map((group) =>
          [...group.querySelectorAll("button")].map((button) => button.getAttribute("aria-label") ?? button.textContent.trim()),
        ),
      );
    for (const names of byGroup) expect(new Set(names).size).toBe(names.length);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("is readable in light and dark: every text has the contrast that WCAG AA requires", async () => {
    const { page } = await playground.visit();
    await decide(page);
    await openEverything(page);
    await page.getByRole("button", { name: "Choice" }).click();
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByRole("alert").waitFor();
    const backgrounds = new Set<string>();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const tab of await page.getByRole("tab").all()) {
        await tab.click();
        const found = await contrasts(page);
        expect(found.length).toBeGreaterThan(50);
        expect(found.filter(({ ratio, needed }) => ratio < needed)).toEqual([]);
        for (const { background } of found) backgrounds.add(background);
      }
    }
    expect(backgrounds.size).toBeGreaterThan(12);
    await page.context().close();
  });

  it("keeps the chosen theme after a reload", async () => {
    const { page } = await playground.visit({ colorScheme: "light" });
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole("button", { name: "Theme: auto" }).click();
    await expect(background()).resolves.toBe(light);
    await page.getByRole("button", { name: "Theme: light" }).click();
    await expect(background()).resolves.not.toBe(light);
    await page.reload();
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    await expect(background()).resolves.not.toBe(light);
    await page.context().close();
  });

  it("fits a phone: nothing overflows, and every target is large enough for a finger", async () => {
    const { page } = await playground.visit({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await decide(page);
    await openEverything(page);
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 740 });
      for (const tab of await page.getByRole("tab").all()) {
        await tab.click();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
      expect(await page.locator(TARGETS).evaluateAll(tooSmall, MIN_TARGET_PX)).toEqual([]);
    }
    await page.context().close();
  });

  it("is for everyone also where it teaches and explains: named, readable in light and dark, and fit for a phone", async () => {
    const { page } = await taughtPage(playground, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await ask(page, "The glass in my window broke. It rains. Please come today.");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.locator(".explanation details").waitFor();
    const seen = new Set<string>();
    const check = async (targets: string): Promise<void> => {
      await openEverything(page);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const found = await contrasts(page);
        expect(found.filter(({ ratio, needed }) => ratio < needed)).toEqual([]);
        for (const { text } of found) seen.add(text);
      }
      for (const width of [360, 320]) {
        await page.setViewportSize({ width, height: 740 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        expect(await page.locator(targets).evaluateAll(tooSmall, MIN_TARGET_PX)).toEqual([]);
      }
    };
    await check(TARGETS);
    await openTeaching(page);
    await dialog(page).getByLabel("Paste examples").fill("No answer");
    await check(TARGETS.replaceAll(/(?<=^|, )/g, "dialog[open] "));
    expect([...seen]).toEqual(
      expect.arrayContaining(["Is it right?", "Figures", "Accuracy", "Teach a question", "How much can be automated"]),
    );
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const controls = nodes.filter(({ ignored, role }) => !ignored && CONTROLS.includes(String(role?.value)));
    const names = controls.map(({ name }) => String(name?.value ?? "").trim());
    expect(names).toEqual(expect.arrayContaining(["Paste examples", "Teach", "Download lesson", "Forget lesson", "Close"]));
    expect(names).not.toContain("");
    await page.context().close();
  });
});

/** Finds targets that are too small for a finger or overflow the window. */
function tooSmall(targets: Element[], leastPx: number): string[] {
  return targets
    .map((target) => ({ text: target.getAttribute("aria-label") ?? target.textContent.trim(), box: target.getBoundingClientRect() }))
    .filter(({ box }) => box.height < leastPx || box.width < leastPx || box.left < 0 || box.right > innerWidth)
    .map(({ text, box }) => `${text}: ${box.width} x ${box.height} at ${box.left}`);
}

async function openEverything(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
}
