import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tempDir } from "../support/temp-dir.ts";
import { EXAMPLE_PAGES } from "./support/example-pages.ts";
import { buildExtension, ExtensionBrowser, troubleOf, verdictsOf } from "./support/extension.ts";
import { Site } from "./support/site.ts";

describe("the extension's questions", () => {
  const folder = tempDir();
  let site: Site;
  let browser: ExtensionBrowser;
  let page: Page;
  let options: Page;
  beforeAll(async () => {
    buildExtension("chromium", folder);
    site = await Site.start({ pages: EXAMPLE_PAGES, isolated: false });
    browser = await ExtensionBrowser.start(folder);
    page = await browser.context.newPage();
    await page.goto(`${site.origin}/login`);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it("open with one click from the popup", async () => {
    const popup = await browser.click(page);
    await verdictsOf(popup);
    const opened = browser.context.waitForEvent("page");
    await popup.click("#options");
    options = await opened;
    await options.waitForURL(browser.url("options.html"));
    expect(await options.getByRole("listitem").count()).toBe(4);
  });

  it("can all be removed, and the popup then says that there is nothing to ask", async () => {
    const remove = options.getByRole("button", { name: /^Remove: / });
    for (let left = await remove.count(); left > 0; left--) {
      await remove.first().click();
      await expect.poll(() => remove.count()).toBe(left - 1);
    }
    const popup = await browser.click(page);
    expect(await troubleOf(popup)).toContain("There is nothing to ask");
    await popup.close();
  });

  it("are checked, with messages at the field", async () => {
    await options.bringToFront();
    await options.getByRole("button", { name: "Add a question" }).click();
    await options.getByRole("button", { name: "Save" }).click();
    const question = options.getByRole("textbox", { name: "Question" });
    expect(await question.getAttribute("aria-invalid")).toBe("true");
    expect(await question.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await options.locator("#instructions-mistake").textContent()).toBe("Write the question.");
    expect(await options.locator("#lines-mistake").textContent()).toBe("Write at least two answers, one per line.");
    await question.fill("What does this page want from me?");
    const answers = options.getByRole("textbox", { name: "Answers, one per line" });
    await answers.fill("my password\nmy money\nmy password");
    await options.getByRole("button", { name: "Save" }).click();
    expect(await options.locator("#instructions-mistake").textContent()).toBe("");
    expect(await options.locator("#lines-mistake").textContent()).toBe("“my password” appears twice.");
    await answers.fill("password: my password, to log in\nmoney: my money, for goods");
    await options.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => options.getByRole("listitem").allInnerTexts()).toEqual([expect.stringContaining("one of password, money")]);
  });

  it("of all three types can be written, and the popup asks exactly those", async () => {
    await write("Does it ask for a password?", "yes or no");
    await write("How long is the text of the page?", "a level on a scale", "a few words\na few sentences\na long text");
    const verdicts = await browser.ask(page);
    expect(Object.keys(verdicts)).toEqual([
      "What does this page want from me?",
      "Does it ask for a password?",
      "How long is the text of the page?",
    ]);
    expect(verdicts).toMatchObject({ "What does this page want from me?": "password", "Does it ask for a password?": "Yes" });
  });

  it("can be changed; Cancel changes nothing", async () => {
    await options.bringToFront();
    const edit = options.getByRole("button", { name: "Edit: Does it ask for a password?" });
    const question = options.getByRole("textbox", { name: "Question" });
    await edit.click();
    expect(await question.inputValue()).toBe("Does it ask for a password?");
    await question.fill("Something else?");
    await options.getByRole("button", { name: "Cancel" }).click();
    await edit.click();
    await question.fill("Must I log in here?");
    await options.getByRole("button", { name: "Save" }).click();
    await options.getByRole("button", { name: "Edit: Must I log in here?" }).waitFor();
    expect(Object.keys(await browser.ask(page))).toContain("Must I log in here?");
  });

  it("survive a reload, and the default ones return after confirming", async () => {
    await options.bringToFront();
    await options.reload();
    await options.getByRole("button", { name: "Restore the default" }).click();
    await options.getByRole("button", { name: "Keep mine" }).click();
    expect(await options.getByRole("listitem").count()).toBe(3);
    await options.getByRole("button", { name: "Restore the default" }).click();
    await options.getByRole("button", { name: "Restore", exact: true }).click();
    await expect.poll(() => options.getByRole("listitem").count()).toBe(4);
    expect(Object.keys(await browser.ask(page))).toContain("What kind of page is this?");
  });

  it("never become markup", async () => {
    await options.bringToFront();
    const markup = '<img src=x onerror="document.title=1"><b>?';
    await write(markup, "yes or no");
    expect(await options.locator("li img, li b").count()).toBe(0);
    const popup = await browser.click(page);
    expect(await verdictsOf(popup)).toHaveProperty([markup]);
    expect(await popup.evaluate(() => document.querySelectorAll("img, b").length)).toBe(0);
    await popup.close();
  });

  async function write(question: string, kind: string, lines?: string): Promise<void> {
    await options.bringToFront();
    await options.getByRole("button", { name: "Add a question" }).click();
    await options.getByRole("textbox", { name: "Question" }).fill(question);
    await options.getByRole("combobox", { name: "Kind of answer" }).selectOption(kind);
    if (lines !== undefined) await options.getByRole("textbox", { name: "Levels" }).fill(lines);
    await options.getByRole("button", { name: "Save" }).click();
    await options.getByRole("heading", { name: question, exact: true }).waitFor();
  }
});
