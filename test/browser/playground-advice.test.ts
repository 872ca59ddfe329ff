import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { decide, playgroundSuite, question, startEmpty, textField } from "./support/playground.ts";

describe("the playground's advice", () => {
  const playground = playgroundSuite();

  it("hands the answer that it is not sure about to a person, and only that one", async () => {
    const { page, problems } = await playground.visit();
    await page.getByLabel("Start from an example").selectOption("Lease: a question for a person");
    await decide(page);
    const unsure = page.locator(".answer").filter({ hasText: "better ask a person" });
    await expect(unsure.getByRole("heading").innerText()).resolves.toContain("Who pays for a dripping tap");
    await expect(unsure.locator(".words").innerText()).resolves.toMatch(/^right in about \d\d of 100 answers like this$/);
    await expect(page.locator(".answer").count()).resolves.toBe(3);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("warns above the answers about a text that it cannot read, and about one that says nothing", async () => {
    const { page, problems } = await playground.visit();
    await startEmpty(page);
    await page.getByRole("button", { name: "Yes or no" }).click();
    await question(page, 1).getByLabel("Question", { exact: true }).fill("Is it a complaint?");
    await page.getByRole("button", { name: "Duplicate question 1" }).click();
    await textField(page).fill(
      "Guten Tag, leider ist die gelieferte Waschmaschine beschädigt. Bitte schicken Sie umgehend einen Kundendiensttechniker vorbei.",
    );
    await decide(page);
    await expect(warnings(page)).resolves.toMatch(/^Much of this text is in letters or words that the model cannot read[^\n]*$/);
    await expect(page.locator(".answer .sureness").last().innerText()).resolves.toMatch(/not sure\s+better ask a person/);
    await textField(page).fill("{}");
    await page.getByLabel("Send as JSON data instead of text").check();
    await decide(page);
    await expect(warnings(page)).resolves.toMatch(/^There is nothing to read: [^\n]*Type, paste or open a text[^\n]*$/);
    await textField(page).fill("The washing machine that you delivered is damaged. Please send somebody to repair it.");
    await decide(page);
    await expect(warnings(page)).resolves.toBe("");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

function warnings(page: Page): Promise<string> {
  return page.getByRole("tabpanel", { name: "Answers" }).locator(".warnings").innerText();
}
