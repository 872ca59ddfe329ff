import type { Page } from "playwright-core";

/** What a user's hands do: press keys and drop files. */

/** Approximates the accessible name of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === document.body) return "";
    const labels = (element as HTMLInputElement | null)?.labels;
    const words = element?.getAttribute("aria-label") ?? labels?.[0]?.textContent ?? element?.querySelector("legend")?.textContent;
    return (words ?? element?.textContent ?? "").replace(/\s+/g, " ").trim();
  });
}

/** Presses Tab until an element with that name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press("Tab");
    if ((await focused(page)) === name) return;
  }
  throw new Error(`Tab never reached ${name}.`);
}

export async function drop(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName, { type: "text/plain" }));
      return transfer;
    },
    [name, text] as const,
  );
  await page.dispatchEvent("#text", "dragenter", { dataTransfer });
  await page.getByText("Drop the file to read it here").waitFor();
  await page.dispatchEvent("#text", "drop", { dataTransfer });
  await page.getByText("Drop the file to read it here").waitFor({ state: "hidden" });
}
