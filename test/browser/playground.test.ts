import type { ChoiceAnswer, DecideResponse, ScoreAnswer } from "umpire";
import { describe, expect, it } from "vitest";
import { focused, tabTo } from "./support/hands.ts";
import { decide, playgroundSuite, question, startEmpty, textField, textOf } from "./support/playground.ts";

const TEXT = "My card was charged twice for one order, and nobody answers. I am furious. Please pay one of the two back today.";
const LEVELS = ["calm", "annoyed", "furious"];

describe("the playground", () => {
  const playground = playgroundSuite();

  it("answers questions of every type, built with the mouse, and shows all results", async () => {
    const { page, problems } = await playground.visit();
    await startEmpty(page);
    await textField(page).fill(TEXT);
    await page.getByRole("button", { name: "Choice" }).click();
    await question(page, 1).getByLabel("Question", { exact: true }).fill("Which team should handle this?");
    await question(page, 1).getByLabel("Option 1", { exact: true }).fill("gardening");
    await question(page, 1).getByLabel("Option 2", { exact: true }).fill("billing");
    await question(page, 1).getByLabel("Description of option 2").fill("payments, refunds");
    await page.getByRole("button", { name: "Yes or no" }).click();
    await question(page, 2).getByLabel("Question", { exact: true }).fill("Was the customer charged twice?");
    await question(page, 2).getByLabel("Yes means").fill("two charges for one order");
    await page.getByRole("button", { name: "Scale" }).click();
    await question(page, 3).getByLabel("Question", { exact: true }).fill("How upset is the customer?");
    for (const [i, level] of LEVELS.entries())
      await question(page, 3)
        .getByRole("textbox", { name: `Level ${i}` })
        .fill(level);
    await question(page, 3).getByLabel("Name").fill("mood");
    await decide(page);

    const request: unknown = JSON.parse(await textOf(page, "request-json"));
    expect(request).toEqual({
      model: "latest",
      state: TEXT,
      questions: {
        team_handle: {
          type: "choice",
          instructions: "Which team should handle this?",
          criteria: { gardening: null, billing: "payments, refunds" },
        },
        customer_charged: {
          type: "noul",
          instructions: "Was the customer charged twice?",
          criteria: { true: "two charges for one order" },
        },
        mood: { type: "score", instructions: "How upset is the customer?", criteria: LEVELS },
      },
    });
    // The library gives the same response to the shown request.
    const library = `import(new URL("index.browser.js", document.baseURI).href)`;
    const own = await page.evaluate<DecideResponse>(`${library}.then(({ decide }) => decide(${JSON.stringify(request)}))`);
    expect(JSON.parse(await textOf(page, "response-json"))).toEqual(own);

    const team = own.answers["team_handle"] as ChoiceAnswer<"gardening" | "billing">;
    const answer = page.locator(".answer").first();
    expect(await answer.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(/^gardening\s+<?\d+%$/),
      expect.stringMatching(/^Most likely:\s+billing\s+>?\d+%$/),
    ]);
    const widths = await answer.locator(".fill").evaluateAll((bars) => bars.map((bar) => parseFloat((bar as HTMLElement).style.width)));
    expect(widths[1]).toBeCloseTo(team.probabilities.billing * 100, 3);
    // Every answer, yes or no too, says how far to trust it.
    const advice = await page.locator(".answer .sureness .words").allInnerTexts();
    expect(advice).toEqual(
      Object.values(own.answers).map(({ x_accuracy = NaN }) => `right in about ${Math.floor(x_accuracy * 100)} of 100 answers like this`),
    );
    // A score's one verdict is its likeliest level. The expected level is a place on the scale, without a second word.
    const mood = own.answers["mood"] as ScoreAnswer;
    const shares = Object.values(mood.probabilities);
    const scored = page.locator(".answer").nth(2);
    const likeliest = LEVELS[shares.indexOf(Math.max(...shares))] ?? "";
    await expect(scored.locator(".verdict-words").innerText()).resolves.toBe(likeliest);
    await expect(scored.locator(".chosen .bar-label").innerText()).resolves.toContain(likeliest);
    await expect(scored.locator(".expected").innerText()).resolves.toBe(`expected level: ${mood.score.toFixed(2)} of 2`);
    const place = await scored.locator(".mark").evaluate((mark) => parseFloat((mark as HTMLElement).style.left));
    expect(place).toBeCloseTo((mood.score / 2) * 100, 3);
    const facts = await page.locator("#facts").innerText();
    expect(facts).toMatch(/[\d,.]+ ms/);
    expect(facts).toContain(`${own.usage.input_tokens} in, ${own.usage.output_tokens} out`);
    expect(facts).toContain("WebAssembly, int8, ");
    expect(facts).toContain("umpire-2");
    await expect(textOf(page, "more-facts-list")).resolves.toContain("WebGPU");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("can be used with the keyboard alone, and keeps the focus in place", async () => {
    const { page, problems } = await playground.visit();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await tabTo(page, "Text");
    await press("Control+a");
    await page.keyboard.type(TEXT);
    for (let left = 4; left > 0; left--) {
      await tabTo(page, "Remove question 1");
      await press("Enter");
      // Focus goes to the next question, or after the last one to the first button that adds one.
      await expect(focused(page)).resolves.toMatch(left > 1 ? /^Question 1:/ : /^Choice/);
    }
    await press("Enter");
    await page.keyboard.type("Which team is meant?");
    await tabTo(page, "Option 1");
    await page.keyboard.type("gardening");
    await press("Enter");
    await page.keyboard.type("billing");
    await press("Enter");
    await expect(focused(page)).resolves.toBe("Option 3");
    await page.keyboard.type("travel");
    await tabTo(page, "Move option 3 up");
    await press("Enter", "Space");
    // At the top it can only move down, so that button has the focus.
    await expect(focused(page)).resolves.toBe("Move option 1 down");
    await tabTo(page, "Remove option 2");
    await press("Enter");
    await expect(focused(page)).resolves.toBe("Option 2");
    await press("Control+Enter");
    await page.locator(".answer").waitFor();
    await expect(page.locator(".verdict-words").innerText()).resolves.toBe("billing");
    await expect(page.locator(".bar-label").allInnerTexts()).resolves.toEqual(["travel", expect.stringContaining("billing")]);
    await expect(page.getByRole("status").innerText()).resolves.toMatch(/^1 question answered in \d+ milliseconds\.$/);

    await tabTo(page, "Answers");
    await press("ArrowRight");
    await expect(focused(page)).resolves.toBe("Request JSON");
    await expect(page.getByRole("tabpanel", { name: "Request JSON" }).isVisible()).resolves.toBe(true);
    await press("ArrowLeft", "ArrowLeft");
    await expect(focused(page)).resolves.toBe("Code (HTTP: curl)");
    await press("Home");
    await expect(page.getByRole("tab", { selected: true }).innerText()).resolves.toBe("Answers");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
