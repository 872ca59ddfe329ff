import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { runProgram } from "../support/child-program.ts";
import { drop } from "./support/hands.ts";
import { decide, playgroundSuite, question, questions, startEmpty, textField, textOf } from "./support/playground.ts";

/** A text and a name with all kinds of quotes and special characters, which break careless string building. */
const NASTY = 'It\'s "quoted", `$(echo hurt)` $HOME \\n\nJSON\n</script><b>bold</b> ünïcödé \u2028 end';

describe("text in the playground", () => {
  const playground = playgroundSuite();

  it("becomes code that runs unchanged, whatever the text contains", async () => {
    const { page, problems } = await playground.visit({ permissions: ["clipboard-read", "clipboard-write"] });
    await startEmpty(page);
    await textField(page).fill(NASTY);
    await page.getByRole("button", { name: "Yes or no" }).click();
    await question(page, 1).getByLabel("Question", { exact: true }).fill("Is this bold?");
    await question(page, 1).getByLabel("Name").fill("__proto__");
    await page.getByRole("button", { name: "Scale" }).click();
    await question(page, 2).getByLabel("Question", { exact: true }).fill("How bold is it?");
    await question(page, 2).getByLabel("Name").fill("it's");
    for (const [i, level] of ["shy", "", "bold"].entries())
      await question(page, 2)
        .getByRole("textbox", { name: `Level ${i}` })
        .fill(level || NASTY);
    const copied = async (tab: string): Promise<string> => {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("tabpanel", { name: tab }).getByRole("button", { name: "Copy" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };

    const json = await copied("Request JSON");
    expect((JSON.parse(json) as { state: string }).state).toBe(NASTY);
    expect(Object.keys((JSON.parse(json) as { questions: object }).questions)).toEqual(["__proto__", "it's"]);
    const program = await runProgram(await copied("Code (Library)"));
    await decide(page);
    const { answers, usage } = JSON.parse(await textOf(page, "response-json")) as {
      answers: Record<string, { noul: number; score: number; confidence: number }>;
      usage: { input_tokens: number; output_tokens: number };
    };
    const numbers = program.stdout.trim().split(/\s+/).map(Number);
    expect(program.stderr).toBe("");
    expect(numbers).toHaveLength(5);
    // The arithmetic differs between processors, but the answers are the same.
    expect(numbers[0]).toBeCloseTo(new Map(Object.entries(answers)).get("__proto__")?.noul ?? NaN, 2);
    expect(numbers[1]).toBeCloseTo(answers["it's"]?.score ?? NaN, 1);
    expect(numbers.slice(3)).toEqual([usage.input_tokens, usage.output_tokens]);

    const curl = await copied("Code (HTTP: curl)");
    const shell = 'curl() { printf "%s\\n" "$@" >&2; cat; }\n';
    const sent = await promisify(execFile)("sh", ["-c", shell + curl]);
    expect(JSON.parse(sent.stdout)).toEqual(JSON.parse(json));
    expect(sent.stderr).toContain("https://decisions.example/decision/v1/model\n");
    expect(sent.stderr).toContain("Authorization: Bearer put-your-key-here\n");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("can come from dropped or chosen files, including a whole request, and the change can be undone", async () => {
    const { page, problems } = await playground.visit();
    const text = textField(page);
    const before = await text.inputValue();
    await drop(page, "mail.txt", "The parcel\r\ncame late.");
    await expect.poll(() => text.inputValue()).toBe("The parcel\ncame late.");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(text.inputValue()).resolves.toBe(before);

    const request = { state: { from: "Ana", parcel: "late" }, questions: { late: { type: "noul", instructions: "Was it late?" } } };
    await page
      .locator("#file")
      .setInputFiles({ name: "r.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(request)) });
    await expect.poll(() => questions(page).count()).toBe(1);
    await expect(page.getByLabel("Send as JSON data instead of text").isChecked()).resolves.toBe(true);
    expect(JSON.parse(await textOf(page, "request-json"))).toEqual({ model: "latest", ...request });

    await drop(page, "photo.jpg", "\u0000\u0001");
    await expect(page.getByRole("alert").innerText()).resolves.toContain("photo.jpg is not a plain text file");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
