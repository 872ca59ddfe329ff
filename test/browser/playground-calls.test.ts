import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { focused } from "./support/hands.ts";
import { decide, playgroundSuite, question, questions, startEmpty, textField, textOf } from "./support/playground.ts";

describe("a call from the playground", () => {
  const playground = playgroundSuite();

  it("shows what is missing at its field, before anything is loaded", async () => {
    const { page, problems } = await playground.visit();
    const loaded = playground.site.count("/some/where/umpire/worker.js");
    await page.getByRole("button", { name: "Choice" }).click();
    await page.getByRole("button", { name: "Decide" }).click();
    const alert = page.getByRole("alert");
    await expect(alert.innerText()).resolves.toContain("invalid_request");
    const field = question(page, 5).getByLabel("Question", { exact: true });
    await expect(field.getAttribute("aria-invalid")).resolves.toBe("true");
    const note = await field.getAttribute("aria-describedby");
    await expect(textOf(page, note ?? "")).resolves.toBe("Write the question.");
    await alert.getByRole("button", { name: "Question 5, option 2" }).click();
    await expect(focused(page)).resolves.toBe("Option 2");
    await page.keyboard.type("x");
    await expect(question(page, 5).getByLabel("Option 2", { exact: true }).getAttribute("aria-invalid")).resolves.toBeNull();
    expect(playground.site.count("/some/where/umpire/worker.js")).toBe(loaded);

    // Errors from the model appear at their field, too.
    await page.getByRole("button", { name: "Remove question 5" }).click();
    await textField(page).fill("cat ".repeat(17_000));
    await page.getByRole("button", { name: "Decide" }).click();
    await alert.getByText("input_too_long").waitFor();
    await expect(textField(page).getAttribute("aria-invalid")).resolves.toBe("true");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("decides while typing, without complaints about unfinished fields, and keeps the draft after a reload", async () => {
    const { page, problems } = await playground.visit();
    await page.getByLabel("Decide as I type").check();
    await page.locator(".answer").first().waitFor();
    await page.getByRole("button", { name: "Duplicate question 2" }).click();
    await question(page, 3).getByLabel("Question", { exact: true }).fill("");
    await page.waitForTimeout(600);
    await expect(page.getByRole("alert").isVisible()).resolves.toBe(false);
    await expect(page.getByText("have changed since these answers").isVisible()).resolves.toBe(true);
    await question(page, 3).getByLabel("Question", { exact: true }).pressSequentially("Is it about money?", { delay: 20 });
    await page.locator('.answer[data-question="money_back_2"]').waitFor();
    // On a busy machine, a pause between two keys may be long enough for an answer in between.
    await expect.poll(() => page.locator(".answer").nth(2).innerText()).toContain("Is it about money?");
    await page.reload();
    await expect.poll(() => questions(page).count()).toBe(5);
    await expect(question(page, 3).getByLabel("Question", { exact: true }).inputValue()).resolves.toBe("Is it about money?");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("shows progress where the answers will be while the model loads, and can be stopped", async () => {
    const { page, problems } = await playground.visit();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route("**/weights.bin", async (route) => {
      await held;
      await route.continue();
    });
    const answers = page.getByRole("tabpanel", { name: "Answers" });
    await answers.getByText("Nothing decided yet.").waitFor();
    await page.getByRole("button", { name: "Decide" }).click();
    await answers.getByText(/Loading the model: \d+\.\d of \d+\.\d MB/).waitFor();
    await expect.poll(() => answers.getByRole("progressbar").getAttribute("value")).toMatch(/^0\.\d+/);
    await expect(answers.getByText("Which team should handle this?").isVisible()).resolves.toBe(true);
    await expect(answers.getByText("Nothing decided yet.").isVisible()).resolves.toBe(false);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("progressbar").waitFor({ state: "hidden" });
    await answers.getByText("Nothing decided yet.").waitFor();
    await expect(focused(page)).resolves.toMatch(/^Decide/);
    letGo();
    await decide(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("names the file that is being fetched, with its bytes", async () => {
    const { page } = await playground.visit();
    await page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(globalThis, { seen });
      new MutationObserver(() => seen.add(document.querySelector("#loading .note")?.textContent ?? "")).observe(document.body, {
        subtree: true,
        childList: true,
      });
    });
    await decide(page);
    const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen]);
    expect(seen).toContainEqual(expect.stringMatching(/^weights\.bin: \d+\.\d of \d+\.\d MB$/));
    await page.context().close();
  });

  it("leaves the open tab to who reads there, and marks the answers as new", async () => {
    const { page, problems } = await playground.visit();
    const tab = (name: string): Locator => page.getByRole("tab", { name, exact: true });
    await tab("Code (Library)").click();
    await decide(page);
    await expect(page.getByRole("tab", { selected: true }).innerText()).resolves.toBe("Code (Library)");
    await tab("Answers new").waitFor();
    await expect.poll(() => page.getByRole("status").innerText()).toMatch(/milliseconds\. The answers are in the first tab\.$/);
    await tab("Answers new").click();
    await page.locator(".answer").first().waitFor();
    await tab("Answers").waitFor();
    // Answers that are in view are not marked.
    await decide(page);
    await expect(tab("Answers").isVisible()).resolves.toBe(true);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("says what to do when there is nothing to ask", async () => {
    const { page, problems } = await playground.visit();
    const steps = page.getByRole("tabpanel", { name: "Answers" }).getByRole("listitem");
    const isDone = (): Promise<boolean[]> => steps.evaluateAll((items) => items.map((item) => item.classList.contains("done")));
    await expect(isDone()).resolves.toEqual([true, true, false]);
    await startEmpty(page);
    await expect(isDone()).resolves.toEqual([false, false, false]);
    await page.getByText("No questions yet.").waitFor();
    await page.getByRole("button", { name: "Decide" }).click();
    await expect(page.getByRole("alert").getByRole("listitem").allInnerTexts()).resolves.toEqual([
      expect.stringContaining("Type, paste or open a text first."),
      expect.stringContaining("Add a question first."),
    ]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("can switch the device, says if it is not available, and deletes downloaded files", async () => {
    const { page, problems } = await playground.visit();
    await decide(page);
    await expect(page.evaluate(async () => (await caches.keys()).length)).resolves.toBeGreaterThan(0);
    await page.getByText("Settings").click();
    await page.getByLabel("Device", { exact: true }).selectOption("webgpu");
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByRole("alert").getByText("backend_unavailable").waitFor();
    await page.getByLabel("Device", { exact: true }).selectOption("wasm");
    await decide(page);
    await expect(textOf(page, "more-facts-list")).resolves.toMatch(/Asked for\..* 38\.\d MB kept/);
    await page.getByRole("button", { name: "Delete downloaded files" }).click();
    await page.getByText("Deleted. They").waitFor();
    await expect(page.evaluate(() => caches.keys())).resolves.toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("works from any static server: without the headers that threads need, in one thread", async () => {
    const plain = await playground.serve({ isolated: false });
    const { page, problems } = await playground.visit({}, plain);
    await decide(page);
    await expect(textOf(page, "facts")).resolves.toContain("1 thread");
    await expect(textOf(page, "more-facts-list")).resolves.toContain("does not send the headers that threads need");
    expect(problems).toEqual([]);
    await page.context().close();
    await plain.close();
  });
});
