import { readFile } from "node:fs/promises";
import type { Lesson } from "umpire";
import { describe, expect, it } from "vitest";
import { drop, focused } from "./support/hands.ts";
import { decide, playgroundSuite, question, questions, startEmpty, textField, textOf } from "./support/playground.ts";
import { ask, dialog, examples, openTeaching, taughtPage, teach } from "./support/teaching.ts";

describe("teaching in the playground", () => {
  const playground = playgroundSuite();

  it("learns pasted examples: before and after, a lesson to download, and answers that say so until it is forgotten", async () => {
    const { page, problems } = await playground.visit({ acceptDownloads: true });
    await ask(page, "The glass in my window broke.");
    const untaught = await textOf(page, "response-json");
    await openTeaching(page);
    await expect(dialog(page).getByRole("button", { name: "Teach", exact: true }).isDisabled()).resolves.toBe(true);
    await dialog(page).getByText("8 examples are needed.").waitFor();
    await dialog(page).getByLabel("Paste examples").fill(examples.slice(0, 3).join("\n"));
    await dialog(page).getByRole("button", { name: "Add 3 examples" }).click();
    await dialog(page).getByText("5 more examples are needed: 3 of at least 8.").waitFor();
    await teach(page, examples.slice(3));

    const report = await dialog(page).innerText();
    expect(report).toMatch(/Right in about \d+ of 100 answers; before it was \d+\./);
    for (const figure of ["Accuracy", "Macro-F1", "Calibration error"])
      await expect(dialog(page).getByRole("row", { name: figure }).innerText()).resolves.toMatch(
        /\d+%\s+\(\d+–\d+%\)\s+<?>?\d+%\s+\(\d+–\d+%\)/,
      );
    expect(report).toMatch(/5% wrong at most\s+\d+%/);
    expect(report).toMatch(/10% wrong at most\s+\d+%/);

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog(page).getByRole("button", { name: "Download lesson" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("lesson.json");
    const json = await readFile(await download.path(), "utf8");
    const lesson = JSON.parse(json) as Lesson;
    expect(lesson).toMatchObject({ umpire_lesson: 1, examples: { answered: examples.length }, question: { type: "choice" } });

    await dialog(page).getByRole("button", { name: "Close" }).click();
    await page.locator(".answer").getByText(`taught with ${examples.length} examples`).waitFor();
    const taught = await textOf(page, "response-json");
    expect(taught).toContain(lesson.id);
    // The file is whole: the library learns it, and answers as the page does.
    const own = await page.evaluate(
      `import(new URL("index.browser.js", document.baseURI).href).then(({ createDecider }) =>
        createDecider({ lessons: [${json}] }).decide(${await textOf(page, "request-json")}))`,
    );
    expect(own).toEqual(JSON.parse(taught));

    await page.getByRole("button", { name: "Forget lesson" }).click();
    await expect.poll(() => textOf(page, "response-json"), { timeout: 30_000 }).toBe(untaught);
    await expect(page.locator(".answer").getByText("taught with").count()).resolves.toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => textOf(page, "response-json"), { timeout: 30_000 }).toBe(taught);
    expect(problems).toEqual([]);

    // In another tab, the file brings the question and what was learned of it.
    const other = await playground.visit();
    await startEmpty(other.page);
    await drop(other.page, "lesson.json", json);
    await other.page.locator("#undo").getByText("Lesson opened: its question was added below the others.").waitFor();
    await textField(other.page).fill("The glass in my window broke.");
    await decide(other.page);
    expect(Object.values((JSON.parse(await textOf(other.page, "response-json")) as { answers: object }).answers)).toEqual(
      Object.values((JSON.parse(taught) as { answers: object }).answers),
    );
    await drop(other.page, "lesson.json", json.replace('"answered":', '"answered": 1'));
    await other.page.getByRole("alert").getByText("invalid_request").waitFor();
    expect(other.problems).toEqual([]);
    await Promise.all([page.context().close(), other.page.context().close()]);
  });

  it("learns from answers that were marked right or wrong, and keeps examples and lesson when the page is reloaded", async () => {
    const { page, problems } = await playground.visit();
    const marks = [
      ["I broke the window of the kitchen.", "glazier"],
      ["The window has a crack.", "glazier"],
      ["The pane fell out of the frame.", "glazier"],
      ["My window was smashed last night.", "glazier"],
      ["The tap drips all night.", "plumber"],
      ["Water runs from the pipe under the sink.", "plumber"],
      ["The drain is blocked.", "plumber"],
      ["The boiler leaks.", "plumber"],
    ] as const;
    for (const [i, [text, right]] of marks.entries()) {
      await ask(page, text);
      const tools = page.getByRole("group", { name: "Answer to" });
      if ((await page.locator(".verdict-words").innerText()) === right) await tools.getByRole("button", { name: "Right" }).click();
      else {
        await tools.getByRole("button", { name: "Wrong" }).click();
        await expect(focused(page)).resolves.toBe("The right answer");
        await tools.getByRole("combobox").selectOption(right);
      }
      await question(page, 1)
        .getByText(i === 0 ? "1 example so far." : `${i + 1} examples so far.`)
        .waitFor();
    }
    // A mark can be taken back, and set again.
    const last = page.getByRole("group", { name: "Answer to" });
    const pressed = last.getByRole("button", { pressed: true });
    const mark = (await pressed.innerText()).trim();
    await pressed.click();
    await question(page, 1).getByText("7 examples so far.").waitFor();
    await last.getByRole("button", { name: mark }).click();
    if (mark === "Wrong") await last.getByRole("combobox").selectOption("plumber");

    await openTeaching(page);
    await expect(dialog(page).getByRole("listitem").allInnerTexts()).resolves.toEqual(["glazier\n4", "plumber\n4", "electrician\n0"]);
    await teach(page, []);
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await question(page, 1).getByText("taught with 8 examples").waitFor();

    await page.reload();
    await question(page, 1).getByText("taught with 8 examples").waitFor();
    await decide(page);
    await page.locator(".answer").getByText("taught with 8 examples").waitFor();
    await expect(last.getByRole("button", { pressed: true }).count()).resolves.toBe(1);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("says that a lesson no longer answers once its question has changed, and offers the way back", async () => {
    const { page, problems } = await taughtPage(playground);
    const field = question(page, 1).getByLabel("Question", { exact: true });
    await field.fill("Who should come?");
    await question(page, 1).getByText("The question has changed, so its lesson does not answer it any more.").waitFor();
    await decide(page);
    await expect(textOf(page, "response-json")).resolves.not.toContain("x_lesson");
    await question(page, 1).getByRole("button", { name: "Change it back" }).click();
    await expect(field.inputValue()).resolves.toBe("Who can help?");
    await question(page, 1).getByText(`taught with ${examples.length} examples`).waitFor();

    await field.fill("Who should come?");
    await question(page, 1)
      .getByRole("button", { name: `Use its ${examples.length} examples` })
      .click();
    await question(page, 1).getByText(`${examples.length} examples so far.`).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("shows examples that look wrong, where they can be corrected", async () => {
    const { page, problems } = await playground.visit();
    await ask(page, "The glass in my window broke.");
    await openTeaching(page);
    const wrong = "The sink leaks and water runs out of the pipe.";
    await teach(page, [...examples, `${wrong}\tglazier`]);
    const suspicious = dialog(page).locator(".suspicious > li").filter({ hasText: wrong });
    await suspicious.getByText(/^glazier → plumber, \d+%$/).click();
    await expect(suspicious.locator(".whole-text").innerText()).resolves.toBe(wrong);
    await suspicious.getByRole("combobox").selectOption("plumber");
    await dialog(page).getByText("The example is corrected. Teach again to learn from that.").waitFor();
    await teach(page, []);
    await expect(suspicious.count()).resolves.toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("names the first line of a paste that cannot be read, and adds nothing", async () => {
    const { page, problems } = await playground.visit();
    await startEmpty(page);
    await page.getByRole("button", { name: "Yes or no" }).click();
    await question(page, 1).getByRole("button", { name: "Teach …" }).click();
    // Without a question there is nothing to teach.
    await page.getByRole("alert").getByText("Write the question.").waitFor();
    await question(page, 1).getByLabel("Question", { exact: true }).fill("Is it a complaint?");
    await openTeaching(page);
    const paste = dialog(page).getByLabel("Paste examples");
    await paste.fill('text,answer\n"Late, again",yes\nThank you,no\nGood,perhaps\nBad,maybe');
    await dialog(page).getByText("Line 4: “perhaps” is no answer. Write yes or no. 1 more line has a problem. 2 can be read.").waitFor();
    await expect(dialog(page).getByRole("button", { name: "Add examples" }).isDisabled()).resolves.toBe(true);
    await paste.fill('{"state": "Late again", "answer": true}\n{"text": "x"');
    await dialog(page).getByText("Line 2: it is not a JSON object").waitFor();
    await paste.fill('{"state": "Late again", "answer": true}\n{"state": {"mail": "Thanks"}, "answer": false}');
    await dialog(page).getByRole("button", { name: "Add 2 examples" }).click();
    await dialog(page).getByText("2 examples added.").waitFor();
    await paste.fill("Late again\tno\nGood\tno");
    await dialog(page).getByRole("button", { name: "Add 2 examples" }).click();
    await dialog(page).getByText("2 examples added. 1 took the place of one with the same text.").waitFor();
    await dialog(page).getByRole("button", { name: "Remove all" }).click();
    await dialog(page).getByText("8 examples are needed.").waitFor();
    await dialog(page).getByRole("button", { name: "Undo" }).click();
    await dialog(page).getByText("5 more examples are needed: 3 of at least 8.").waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("can be cancelled: nothing is learned, and the examples stay", async () => {
    const { page, problems } = await playground.visit();
    await ask(page, "", { isAsked: false });
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route("**/weights.bin", async (route) => {
      await held;
      await route.continue();
    });
    await openTeaching(page);
    await dialog(page).getByLabel("Paste examples").fill(examples.join("\n"));
    await dialog(page).getByRole("button", { name: /^Add/ }).click();
    await dialog(page).getByRole("button", { name: "Teach", exact: true }).click();
    await dialog(page).getByRole("progressbar").waitFor();
    await expect(focused(page)).resolves.toBe("Cancel");
    await page.keyboard.press("Enter");
    await dialog(page).getByText("Cancelled. Nothing was learned, and the examples are still there.").waitFor();
    await dialog(page).getByRole("progressbar").waitFor({ state: "hidden" });
    await expect(focused(page)).resolves.toBe("Teach");
    await expect(dialog(page).getByRole("button", { name: "Download lesson" }).isVisible()).resolves.toBe(false);
    letGo();
    await teach(page, []);
    await page.keyboard.press("Escape");
    await question(page, 1).getByText(`taught with ${examples.length} examples`).waitFor();
    await expect(questions(page).count()).resolves.toBe(1);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
