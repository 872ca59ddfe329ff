import type { Locator, Page } from "playwright-core";
import { decide, question, startEmpty, textField } from "./playground.ts";
import type { PlaygroundSuite, Visit } from "./playground.ts";

/** Texts and their answers, as copied from a spreadsheet. */
export const examples = [
  ["The window is broken.", "glazier"],
  ["A ball flew through the pane.", "glazier"],
  ["There is a crack in the window.", "glazier"],
  ["The glass of the door is smashed.", "glazier"],
  ["The window pane fell out.", "glazier"],
  ["The mirror broke into pieces.", "glazier"],
  ["The tap drips.", "plumber"],
  ["Water runs from the pipe.", "plumber"],
  ["The drain in the shower is blocked.", "plumber"],
  ["The toilet overflows.", "plumber"],
  ["The sink leaks.", "plumber"],
  ["There is no hot water in the shower.", "plumber"],
  ["The lamp flickers.", "electrician"],
  ["The socket sparks.", "electrician"],
  ["The fuse blows every evening.", "electrician"],
  ["There is no power in the kitchen.", "electrician"],
  ["The light switch does nothing.", "electrician"],
  ["The cable of the oven is burnt.", "electrician"],
].map((columns) => columns.join("\t"));

/** Asks one question, "Who can help?", about a text. */
export async function ask(page: Page, text: string, { isAsked = true } = {}): Promise<void> {
  const field = page.getByRole("group", { name: "Question 1: choice" }).getByLabel("Question", { exact: true });
  if ((await field.inputValue()) !== "Who can help?") {
    await startEmpty(page);
    await page.getByRole("button", { name: "Choice" }).click();
    await field.fill("Who can help?");
    await question(page, 1).getByRole("button", { name: "Add an option" }).click();
    for (const [i, key] of ["glazier", "plumber", "electrician"].entries())
      await question(page, 1)
        .getByLabel(`Option ${i + 1}`, { exact: true })
        .fill(key);
  }
  if (!isAsked) return;
  await textField(page).fill(text);
  await decide(page);
}

export function dialog(page: Page): Locator {
  return page.getByRole("dialog", { name: "Teach a question" });
}

export async function openTeaching(page: Page): Promise<void> {
  await question(page, 1).getByRole("button", { name: "Teach …" }).click();
  await dialog(page).waitFor();
}

/** In the open dialog: adds examples and teaches. */
export async function teach(page: Page, more: readonly string[]): Promise<void> {
  if (more.length > 0) {
    await dialog(page).getByLabel("Paste examples").fill(more.join("\n"));
    await dialog(page)
      .getByRole("button", { name: /^Add \d/ })
      .click();
  }
  await dialog(page).getByRole("button", { name: "Teach", exact: true }).click();
  await dialog(page).getByRole("progressbar").waitFor({ state: "hidden" });
  await dialog(page).getByRole("button", { name: "Download lesson" }).waitFor();
}

/** A page whose one question was taught, with its answer on show. */
export async function taughtPage(playground: PlaygroundSuite, options: Parameters<PlaygroundSuite["visit"]>[0] = {}): Promise<Visit> {
  const visit = await playground.visit(options);
  await ask(visit.page, "The glass in my window broke.");
  await openTeaching(visit.page);
  await teach(visit.page, examples);
  await dialog(visit.page).getByRole("button", { name: "Close" }).click();
  await visit.page.locator(".answer").getByText("taught with").waitFor();
  return visit;
}
