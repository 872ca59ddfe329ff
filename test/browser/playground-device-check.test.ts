import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { focused } from "./support/hands.ts";
import { playgroundSuite } from "./support/playground.ts";

interface Goldens {
  cases: { answers: Record<string, { probabilities: number[] }> }[];
}

/** A check answers every golden request on every device, on a busy machine slowly. */
const LONG_MS = 300_000;

describe("the playground's check of this device", { timeout: LONG_MS }, () => {
  const playground = playgroundSuite();

  async function openCheck(page: Page): Promise<Locator> {
    await page.getByText("Settings").click();
    await page.getByRole("button", { name: "Check this device" }).click();
    return page.getByRole("dialog", { name: "Check this device" });
  }

  /** Like "WebAssembly, int8: right". */
  function verdictsIn(dialog: Locator): Promise<string[]> {
    return dialog
      .getByRole("listitem")
      .evaluateAll((items) =>
        items.map(
          (item) => `${item.querySelector("strong")?.textContent ?? ""}: ${item.querySelector(".check-verdict")?.textContent ?? ""}`,
        ),
      );
  }

  const outcomeOf = (dialog: Locator): Promise<string> => dialog.getByRole("status").innerText();

  it("says for each device and precision whether it answers rightly and how fast, and what auto takes and why", async () => {
    const { page, problems } = await playground.visit();
    const dialog = await openCheck(page);
    await dialog.getByRole("progressbar").waitFor();
    await expect.poll(() => outcomeOf(dialog), { timeout: LONG_MS }).toMatch(/^Everything that this browser has answers rightly\./);
    // A browser without a graphics card has no WebGPU.
    await expect(verdictsIn(dialog)).resolves.toEqual([
      "WebAssembly, int8: right",
      "WebAssembly, fp32: right",
      expect.stringMatching(/^WebGPU, fp16: (right|not there)$/),
      expect.stringMatching(/^WebGPU, fp32: (right|not there)$/),
    ]);
    const first = dialog.getByRole("listitem").first();
    await expect(first.innerText()).resolves.toMatch(/\d\.\d ms a question with ten options, \d+ threads?\./);
    await expect(outcomeOf(dialog)).resolves.toMatch(/With the setting auto the page takes (WebAssembly, int8|WebGPU, fp16)\. \w.*\.$/);
    await expect(dialog.getByRole("progressbar").isVisible()).resolves.toBe(false);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });
    await expect(focused(page)).resolves.toBe("Check this device");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("says which devices not to trust", async () => {
    const { page, problems } = await playground.visit();
    await page.route("**/golden.json", async (route) => {
      const response = await route.fetch();
      const goldens = (await response.json()) as Goldens;
      goldens.cases.splice(1);
      for (const { answers } of goldens.cases)
        for (const answer of Object.values(answers)) answer.probabilities = answer.probabilities.map((p) => (p + 0.5) % 1);
      await route.fulfill({ response, json: goldens });
    });
    const dialog = await openCheck(page);
    await expect
      .poll(() => outcomeOf(dialog), { timeout: LONG_MS })
      .toMatch(/^Do not trust WebAssembly, int8 and WebAssembly, fp32.* on this device\./);
    await expect(verdictsIn(dialog)).resolves.toContain("WebAssembly, int8: wrong");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("ends when it is closed, and can be started again", async () => {
    const { page, problems } = await playground.visit();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route("**/weights.bin", async (route) => {
      await held;
      await route.continue();
    });
    const dialog = await openCheck(page);
    await expect.poll(() => page.workers().length, { timeout: LONG_MS }).toBeGreaterThan(0);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(() => page.workers().length, { timeout: 30_000 }).toBe(0);
    letGo();
    await page.getByRole("button", { name: "Check this device" }).click();
    await dialog.getByRole("listitem").first().waitFor({ timeout: LONG_MS });
    expect((await verdictsIn(dialog))[0]).toBe("WebAssembly, int8: right");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("says why it cannot start", async () => {
    const { page } = await playground.visit();
    await page.route("**/golden.json", (route) => route.fulfill({ status: 404, body: "" }));
    const dialog = await openCheck(page);
    await expect
      .poll(() => outcomeOf(dialog))
      .toBe("The check ended early: the known answers could not be loaded, the server answered with status 404.");
    await page.context().close();
  });
});
