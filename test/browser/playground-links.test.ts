import { deflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { playgroundSuite, question, questions, startEmpty, textField, textOf } from "./support/playground.ts";

/** Characters of one, two, three and four bytes, and some that mean something in links, HTML and JavaScript. */
const TEXT = 'Ünïcode \u2028 漢字 😩 <img src=x onerror="globalThis.hurt = 1"> %23 #v1. & a+b/c= \\u0000\n'.repeat(3);
const REQUEST = {
  state: { from: "Ana", text: TEXT },
  questions: {
    __proto__x: { type: "noul", instructions: "Is it <b>bold</b>?" },
    mood: { type: "score", instructions: "How is it?", criteria: ["low", "high"] },
    team: { type: "choice", instructions: "Who?", criteria: { "a b": "one", c: null } },
  },
};
const BROKEN = "This link is broken";

describe("a link of the playground", () => {
  const playground = playgroundSuite();
  const address = (fragment: string): string => `${playground.site.origin}/some/where/${fragment}`;

  const addressOf = (page: Page): Promise<string> => page.evaluate(() => location.href);

  async function copiedLink(page: Page): Promise<string> {
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Link copied" }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  }

  it("holds the whole request in its fragment, sends nothing, and opens as it was", async () => {
    const { page, problems } = await playground.visit({ permissions: ["clipboard-read", "clipboard-write"] });
    const file = { name: "r.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(REQUEST)) };
    await page.locator("#file").setInputFiles(file);
    await expect.poll(() => questions(page).count()).toBe(3);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const link = await copiedLink(page);
    // The browser looks for the icon again whenever the address changes.
    expect(requests.filter((url) => !url.endsWith("/icon.svg"))).toEqual([]);
    expect(link).toMatch(/^[^#]+#v1\.[\w-]+$/);
    expect(link.startsWith(address("#v1."))).toBe(true);
    await page.locator("#link-note").getByText("It holds the text and the questions, and nothing was sent").waitFor();

    const shown = await textOf(page, "request-json");
    const other = await page.context().newPage();
    await other.goto(link);
    await expect.poll(() => textOf(other, "request-json")).toBe(shown);
    expect(JSON.parse(shown)).toEqual({ model: "latest", ...REQUEST });
    await expect(addressOf(other)).resolves.toBe(link);
    expect(await other.evaluate(() => "hurt" in globalThis)).toBe(false);

    // The address names the link only as long as it is true.
    await textField(other).fill("Something else.");
    await expect(addressOf(other)).resolves.toBe(address(""));
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("does not replace a draft for good: the change can be undone, and a reload keeps later edits", async () => {
    const { page, problems } = await playground.visit({ permissions: ["clipboard-read", "clipboard-write"] });
    const link = await copiedLink(page);
    const first = await textField(page).inputValue();
    await textField(page).fill("A draft that took an hour.");
    await page.evaluate((fragment) => (location.hash = fragment), new URL(link).hash);
    await expect.poll(() => textField(page).inputValue()).toBe(first);
    await page.locator("#undo").getByText("The request from the link is open.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(textField(page).inputValue()).resolves.toBe("A draft that took an hour.");

    // The same for a new visit to the link in this tab.
    await page.goto("about:blank");
    await page.goto(link);
    await expect.poll(() => textField(page).inputValue()).toBe(first);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(textField(page).inputValue()).resolves.toBe("A draft that took an hour.");
    await page.reload();
    await questions(page).first().waitFor();
    await expect(textField(page).inputValue()).resolves.toBe("A draft that took an hour.");
    await expect(page.getByRole("button", { name: "Undo" }).isVisible()).resolves.toBe(false);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("says so when it is broken, and leaves the page usable", async () => {
    const { page, problems } = await playground.visit({ permissions: ["clipboard-read", "clipboard-write"] });
    const whole = new URL(await copiedLink(page)).hash;
    const packed = (value: unknown): string => `#v1.${deflateSync(JSON.stringify(value)).toString("base64url")}`;
    const middle = Math.floor(whole.length / 2);
    const other = whole[middle] === "A" ? "B" : "A";
    const many = Object.fromEntries(Array.from({ length: 2500 }, (_, i) => [`q${i}`, { type: "noul", instructions: "?" }]));
    const wrong: Record<string, string> = {
      "#v1": BROKEN,
      "#v1.": BROKEN,
      "#v1.%%%": BROKEN,
      [whole.slice(0, -8)]: BROKEN,
      [whole.slice(0, middle) + other + whole.slice(middle + 1)]: BROKEN,
      [packed("x".repeat(2_000_000))]: BROKEN,
      [packed(7)]: "holds no request",
      [packed({ state: 7, questions: {} })]: "holds no request",
      [packed({ state: "x", questions: { a: { type: "script", instructions: "alert(1)" } } })]: "holds no request",
      [packed({ state: "x", questions: many })]: "more questions than this page can show",
      "#v27.abc": "another version",
    };
    await textField(page).fill("A draft.");
    const draft = await textOf(page, "request-json");
    for (const [fragment, words] of Object.entries(wrong)) {
      await page.evaluate((hash) => (location.hash = hash), fragment);
      await page.getByRole("alert").getByText(words).waitFor();
      await expect(addressOf(page)).resolves.toBe(address(""));
      await expect(textOf(page, "request-json")).resolves.toBe(draft);
    }
    await page.goto("about:blank");
    await page.goto(address("#v1.AAAA"));
    await page.getByRole("alert").getByText(BROKEN).waitFor();
    await expect(textField(page).inputValue()).resolves.toBe("A draft.");
    await page.getByRole("button", { name: "Yes or no" }).click();
    await expect(questions(page).count()).resolves.toBe(5);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("is refused in words when it would be too long, or when something is missing", async () => {
    const { page, problems } = await playground.visit();
    await page.getByRole("button", { name: "Choice" }).click();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("alert").getByText("Something is still missing.").waitFor();
    await expect(question(page, 5).getByLabel("Question", { exact: true }).getAttribute("aria-invalid")).resolves.toBe("true");

    await startEmpty(page);
    // Digits without a pattern, which cannot be compressed far.
    await textField(page).fill(Array.from({ length: 60_000 }, (_, i) => (Math.sin(i) * 1e6).toFixed(0).slice(-1)).join(""));
    await page.getByRole("button", { name: "Yes or no" }).click();
    await question(page, 1).getByLabel("Question", { exact: true }).fill("Is it a number?");
    await page.getByRole("button", { name: "Copy link" }).click();
    // Packing takes a moment.
    await expect
      .poll(() => page.getByRole("alert").innerText())
      .toMatch(/This request is too long for a link: the link would have [\d,]+ characters, .* more than 30,000\./);
    await expect(addressOf(page)).resolves.toBe(address(""));
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("is in the address bar where the browser does not allow copying", async () => {
    const { page } = await playground.visit();
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined });
    });
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.locator("#link-note").getByText("The link is in the address bar: copy it there.").waitFor();
    await expect(addressOf(page)).resolves.toMatch(/#v1\.[\w-]+$/);
    await page.context().close();
  });
});
