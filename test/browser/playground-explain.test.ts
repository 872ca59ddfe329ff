import type { Explanation } from "umpire";
import { describe, expect, it } from "vitest";
import { decide, playgroundSuite, question, startEmpty, textField, textOf } from "./support/playground.ts";

const TEXT =
  "I was charged twice for one order. The weather is nice today. I like your app, too. Please give me my money back this week!\n\nDana";

describe("in the playground", () => {
  const playground = playgroundSuite();

  it("an answer can be explained: passages for and against are marked in the text, and what it cost is said", async () => {
    const { page, problems } = await playground.visit();
    await startEmpty(page);
    await textField(page).fill(TEXT);
    await page.getByRole("button", { name: "Yes or no" }).click();
    await question(page, 1).getByLabel("Question", { exact: true }).fill("Does the customer want money back?");
    await decide(page);
    const explain = page.getByRole("button", { name: "Explain" });
    await explain.click();
    const explanation = page.getByRole("region", { name: /^Why customer_want was answered so$/ });
    await explanation.getByText("Figures").click();
    await expect(explain.getAttribute("aria-expanded")).resolves.toBe("true");

    const own = await page.evaluate<Explanation>(
      `import(new URL("index.browser.js", document.baseURI).href).then(({ createDecider }) =>
        createDecider().explain(${await textOf(page, "request-json")}, "customer_want"))`,
    );
    const [strongest] = own.passages;
    const words = (passage = strongest): string => TEXT.slice(passage?.start, passage?.end).trim();
    expect(words()).toBe("Please give me my money back this week!");
    await expect(explanation.locator("mark.for.level-3").innerText()).resolves.toBe(`${words()}+++`);
    // Without its signs, the tinted text is the text.
    const tinted = await explanation.locator(".tinted").evaluate((view) => {
      const copy = view.cloneNode(true) as Element;
      for (const sign of copy.querySelectorAll(".sign")) sign.remove();
      return copy.textContent;
    });
    expect(tinted).toBe(TEXT);
    // Everything that tints and underlines say is in the list, too.
    const figures = await explanation.getByRole("listitem").allInnerTexts();
    expect(figures).toHaveLength(own.passages.length);
    expect(figures[0]).toMatch(/^Please give me my money back this week!\s+strongly for, × (\d+|more than 100)$/);
    await explanation.getByText(`The text was read ${own.readings} times`).waitFor();

    await explain.click();
    await expect(explanation.count()).resolves.toBe(0);
    await explain.click();
    await explanation.getByText("Figures").waitFor();
    await textField(page).fill("Another text.");
    await expect(explanation.count()).resolves.toBe(0);
    await expect(explain.getAttribute("aria-expanded")).resolves.toBe("false");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("a question can be checked: what makes its answers bad, and what to write instead, until it is changed", async () => {
    const { page, problems } = await playground.visit();
    await startEmpty(page);
    await page.getByRole("button", { name: "Yes or no" }).click();
    await question(page, 1).getByLabel("Question", { exact: true }).fill("Is the customer not happy?");
    await question(page, 1).getByRole("button", { name: "Check" }).click();
    const found = question(page, 1).locator(".checked-question");
    const own = await page.evaluate<{ warnings: { code: string; message: string }[] }>(
      `import(new URL("index.browser.js", document.baseURI).href).then(({ createDecider }) =>
        createDecider().check({ type: "noul", instructions: "Is the customer not happy?" }))`,
    );
    expect(own.warnings.map(({ code }) => code)).toContain("negated");
    await expect
      .poll(() => found.getByRole("listitem").allInnerTexts(), { timeout: 30_000 })
      .toEqual(own.warnings.map(({ message }) => message));
    await question(page, 1).getByLabel("Question", { exact: true }).fill("Does the customer want money back?");
    await expect(found.innerText()).resolves.toBe("");
    await question(page, 1).getByRole("button", { name: "Check" }).click();
    await found.getByText("Nothing found that makes answers bad.").waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
