import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { randomFrom } from "../../src/library/statistics/random.ts";
import { readRows } from "../../src/tools/rows/read-rows.ts";
import { cleanEnv, CLI, finished, umpireProcess } from "../support/command-line.ts";
import type { Run } from "../support/command-line.ts";
import { LABEL_QUESTION, labelRows } from "../support/label-rows.ts";
import { tempDir } from "../support/temp-dir.ts";
import { launchChromium } from "./support/chromium.ts";
import { contrasts } from "./support/contrast.ts";

interface Running {
  readonly url: string;
  readonly port: string;
  /** @returns how it ended */
  end(signal: NodeJS.Signals): Promise<Run>;
  readonly ended: Promise<Run>;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

let folder: string;
beforeEach(() => {
  folder = tempDir();
});

async function start(rows: ReadonlyMap<string, string>, args: readonly string[], question: object = LABEL_QUESTION): Promise<Running> {
  await writeFile(join(folder, "rows.jsonl"), asLines(rows.keys()));
  await writeFile(join(folder, "question.json"), JSON.stringify(question));
  const files = ["--out", join(folder, "labels.csv"), "--lesson", join(folder, "lesson.json"), "--json"];
  const all = ["label", join(folder, "rows.jsonl"), join(folder, "question.json"), ...files, "--model", "umpire-2", ...args];
  const child = spawn(process.execPath, [CLI, ...all], { env: cleanEnv() });
  const ended = finished(child);
  const url = await new Promise<string>((resolve, reject) => {
    let seen = "";
    child.stderr.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      const found = /http:\/\/\S+/u.exec(seen);
      if (found) resolve(found[0]);
    });
    void ended.then(({ stderr }) => {
      reject(new Error(stderr));
    });
  });
  const end = (signal: NodeJS.Signals): Promise<Run> => {
    child.kill(signal);
    return ended;
  };
  return { url, port: new URL(url).port, end, ended };
}

/** What a person sees and does: nothing that the screen does not show. */
class Person {
  readonly page: Page;
  readonly problems: string[] = [];
  /** What was pressed last, by text. */
  readonly given = new Map<string, string>();

  private constructor(page: Page) {
    this.page = page;
    page.on("pageerror", ({ message }) => this.problems.push(message));
    page.on("console", (message) => {
      // A server that is gone is told by the browser, too.
      if (["error", "warning"].includes(message.type()) && !message.text().includes("Failed to load resource"))
        this.problems.push(message.text());
    });
  }

  static async at(url: string, options: BrowserContextOptions = {}): Promise<Person> {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    const person = new Person(await context.newPage());
    await person.page.goto(url);
    return person;
  }

  /** The text that is asked about, once it is another one than before. */
  async text(before = ""): Promise<string> {
    const text = this.page.getByRole("region", { name: "Text" });
    await this.page.waitForFunction((last) => {
      const shown = document.querySelector("#text");
      return (
        (shown?.checkVisibility() === true && shown.textContent !== last) || document.querySelector("#end")?.checkVisibility() === true
      );
    }, before);
    return (await text.isVisible()) ? text.innerText() : "";
  }

  async press(key: string, text: string, answer: string): Promise<void> {
    this.given.set(text, answer);
    await this.page.keyboard.press(key);
  }

  count(): Promise<number> {
    return this.page.title().then((title) => Number.parseInt(title, 10));
  }
}

const labels = async (): Promise<Map<string, string>> => {
  const rows = await readRows(join(folder, "labels.csv"));
  const found = new Map(rows.map(({ value }) => value as { text: string; label: string }).map(({ text, label }) => [text, label]));
  expect(found.size).toBe(rows.length);
  return found;
};

const asLines = (texts: Iterable<string>): string => Array.from(texts, (text) => `${JSON.stringify({ text })}\n`).join("");

describe("the page of umpire label", () => {
  it("takes 300 answers of a person with 5% mistakes; a reload and a kill lose none and double none; and the promise holds", async () => {
    const rows = labelRows(300);
    const answers = Object.keys(LABEL_QUESTION.criteria);
    const random = randomFrom(5);
    const stated = new Map(
      [...rows].map(([text, right]) => [text, random() < 0.05 ? (answers.indexOf(right) + 1) % 3 : answers.indexOf(right)]),
    );
    let running = await start(rows, ["--max-error-rate", "0.2", "--port", "0"]);
    const { port } = running;
    const person = await Person.at(running.url);
    let [text, stops] = ["", 0];
    for (let count = 1; count <= rows.size; count++) {
      text = await person.text(text);
      if (text === "") {
        // It stops by itself; this person goes on.
        stops++;
        await person.page.keyboard.press("g");
        await person.page.locator("#end").waitFor({ state: "hidden" });
        text = await person.text();
      }
      const answer = stated.get(text) ?? 0;
      await person.press(String(answer + 1), text, answers[answer] ?? "");
      if (count === 100) {
        await person.text(text);
        await person.page.reload();
        text = "";
      }
      if (count === 150) {
        await person.text(text);
        await running.end("SIGKILL");
        await person.page
          .getByRole("alert")
          .filter({ hasText: `Start the same command again with --port ${port}` })
          .waitFor();
        running = await start(rows, ["--max-error-rate", "0.2", "--port", port]);
        await person.page.getByRole("alert").waitFor({ state: "hidden" });
        text = "";
      }
    }
    await person.page.getByText("All rows have been asked about.").waitFor();
    expect(stops).toBeGreaterThan(0);
    expect(await labels()).toEqual(person.given);
    expect(person.given.size).toBe(300);
    await person.page.getByRole("button", { name: "End", exact: true }).click();
    await person.page.getByText("umpire label has ended").waitFor();
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ answered: 300, rows: 300, learned: "features", problem: null });
    expect(person.problems).toEqual([]);

    // Rows that nobody has answered.
    const others = labelRows(300, 2);
    await writeFile(join(folder, "others.jsonl"), asLines(others.keys()));
    const flags = ["--lessons", join(folder, "lesson.json"), "--max-error-rate", "0.2", "--model", "umpire-2", "--copy", "text", "--quiet"];
    const run = await umpireProcess(["run", join(folder, "question.json"), join(folder, "others.jsonl"), "--out", "-", ...flags]);
    const lines = run.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { text: string; answers: { answer: { choice: string; x_act: boolean } } });
    const acted = lines.filter(({ answers: { answer } }) => answer.x_act);
    const wrong = acted.filter(({ text: one, answers: { answer } }) => answer.choice !== others.get(one));
    expect(acted.length).toBeGreaterThan(100);
    expect(wrong.length / acted.length).toBeLessThan(0.2);
    await person.page.context().close();
  });

  it("shows two pages the same, takes a row's answer once, and ends both", async () => {
    const running = await start(labelRows(60), ["--port", "0"]);
    const [one, other] = [await Person.at(running.url), await Person.at(running.url)];
    const areSame = async (): Promise<boolean> => (await one.text()) === (await other.text());
    for (let count = 0; count < 6; count++) {
      await expect.poll(areSame).toBe(true);
      const text = await one.text();
      // Both press at once; the first one counts, whichever it is.
      await Promise.all([one.press("1", text, "north"), other.press("1", text, "north")]);
      await one.text(text);
      await other.text(text);
      await expect.poll(() => labels().then((found) => found.has(text))).toBe(true);
    }
    const answered = await one.count();
    expect(answered).toBeGreaterThanOrEqual(6);
    await expect.poll(() => other.count()).toBe(answered);
    await one.page.getByRole("button", { name: "End now, and keep what was learned" }).click();
    for (const { page } of [one, other]) await page.getByText("umpire label has ended").waitFor();
    expect((await running.ended).code).toBe(answered < 8 ? 5 : 0);
    expect([...one.problems, ...other.problems]).toEqual([]);
    expect([...(await labels()).values()]).toEqual(Array.from({ length: answered }, () => "north"));
    for (const { page } of [one, other]) await page.context().close();
  });

  it("is used by the keyboard alone: skip, none of these, undo, and buttons where single keys are switched off", async () => {
    const running = await start(labelRows(40), ["--port", "0"], { type: "score", instructions: "How urgent?", criteria: ["1", "2", "3"] });
    const person = await Person.at(running.url);
    const { page } = person;
    const first = await person.text();
    await page.keyboard.press("s");
    const second = await person.text(first);
    await page.keyboard.press("x");
    const third = await person.text(second);
    await page.keyboard.press("0");
    const fourth = await person.text(third);
    await page.keyboard.press("Backspace");
    expect(await person.text(fourth)).toBe(third);
    await page.keyboard.press("2");
    await person.text(third);
    // No other key does anything.
    for (const key of ["7", "q", "Control+1", "Escape"]) await page.keyboard.press(key);
    await page.getByRole("checkbox", { name: "Answer by single keys" }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("1");
    const fifth = await person.text();
    await page.getByRole("button", { name: "1 1 2" }).focus();
    await page.keyboard.press("Enter");
    await person.text(fifth);
    const kept = (await readRows(join(folder, "labels.csv"))).map(({ value }) => value as Record<string, string>);
    expect(kept.map(({ text, label, note }) => [text, label, note])).toEqual([
      [first, "", "skipped"],
      [second, "", "none of these"],
      // The text of the level: a number would be read as the text.
      [third, "3", ""],
      [fifth, "2", ""],
    ]);
    await page.reload();
    await person.text();
    await expect(page.getByRole("checkbox", { name: "Answer by single keys" }).isChecked()).resolves.toBe(false);
    expect((await running.end("SIGTERM")).code).toBe(5);
    expect(person.problems).toEqual([]);
    await page.context().close();
  });

  it("finds one of 255 options by a part of its name, and shows whatever text as text, all of it", async () => {
    const criteria = Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`option ${i}<b>`, i === 200 ? "the odd one" : null]));
    const long = `${"A long line. ".repeat(150)}\n\n<img src=x onerror=alert(1)> the end`;
    const running = await start(new Map([[long, ""]]), ["--port", "0"], { type: "choice", instructions: "<i>Which?</i>", criteria });
    const person = await Person.at(running.url, { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true });
    const { page } = person;
    await person.text();
    expect(await page.locator("#text").textContent()).toBe(long);
    await page.getByRole("region", { name: "Text" }).focus();
    await page.keyboard.press("End");
    await expect
      .poll(() => page.locator("#text").evaluate((text) => text.scrollTop + text.clientHeight >= text.scrollHeight - 1))
      .toBe(true);
    await page.keyboard.press("/");
    await page.keyboard.type("odd");
    await page.getByText("1 found; Enter gives option 200<b>").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("All rows have been asked about.").waitFor();
    expect([...(await labels()).values()]).toEqual(["option 200<b>"]);
    await running.end("SIGINT");
    expect(person.problems).toEqual([]);
    await page.context().close();
  });

  it("is for everyone: named, readable in light and dark, and fit for a phone; and tells those who come without its secret what to do", async () => {
    const running = await start(labelRows(60), ["--port", "0"]);
    const person = await Person.at(running.url, { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true });
    const { page } = person;
    let text = "";
    for (let count = 0; count < 8; count++) {
      text = await person.text(text);
      await page.getByRole("button", { name: count % 2 === 0 ? "north" : "south" }).click();
    }
    await page.getByRole("img", { name: "Share that can be acted on: 0 in 100 after 8 answers" }).waitFor();
    await page.getByText("8 answered; nothing can be acted on yet with at most 5 wrong in 100.").waitFor();
    await page.locator("summary").click();
    const check = async (): Promise<void> => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect((await contrasts(page)).filter(({ ratio, needed }) => ratio < needed)).toEqual([]);
      }
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 740 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        const small = await page
          .locator("button:visible, summary:visible, label.check:visible")
          .evaluateAll((targets) =>
            targets
              .map((target) => ({ text: target.textContent, box: target.getBoundingClientRect() }))
              .filter(({ box }) => box.height < 40 || box.right > innerWidth),
          );
        expect(small).toEqual([]);
      }
    };
    await check();
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const controls = nodes.filter(
      ({ ignored, role }) => !ignored && ["button", "checkbox", "textbox", "region", "image"].includes(String(role?.value)),
    );
    expect(controls.map(({ name }) => String(name?.value ?? "").trim())).not.toContain("");
    await page.getByRole("button", { name: "End now, and keep what was learned" }).click();
    await page.getByText("umpire label has ended").waitFor();
    await expect(page.evaluate(() => document.activeElement?.id)).resolves.toBe("end");
    await check();
    await page.context().close();
    expect(person.problems).toEqual([]);
    await running.ended;

    const again = await start(labelRows(60), ["--port", "0"]);
    const stranger = await Person.at(again.url.replace(/#.*/u, "#guessed"));
    await stranger.page.getByText("Open the address that umpire label printed.").waitFor();
    expect(await stranger.page.locator("#text").textContent()).toBe("");
    await stranger.page.context().close();
    await again.end("SIGINT");
  });
});
