import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { packageRootPath } from "../support/package-root.ts";
import { focused } from "./support/hands.ts";
import { decide, playgroundSuite, question, questions, textField, textOf } from "./support/playground.ts";

describe("a call from the playground", () => {
  const playground = playgroundSuite();

  it("shows what is missing at its field, before anything is loaded", async () => {
    const { page, problems } = await playground.visit();
    const loaded = playground.site.count("/some/where/umpire/worker.js");
    await page.getByRole("button", { name: "Choice" }).click();
    await page.getByRole("button", { name: "Decide" }).click();
    const alert = page.getByRole("alert");
    await expect(alert.innerText()).resolves.toContain("invalid_request");
    const field = question(page, 6).getByLabel("Question", { exact: true });
    await expect(field.getAttribute("aria-invalid")).resolves.toBe("true");
    const note = await field.getAttribute("aria-describedby");
    await expect(textOf(page, note ?? "")).resolves.toBe("Write the question.");
    await alert.getByRole("button", { name: "Question 6, option 2" }).click();
    await expect(focused(page)).resolves.toBe("Option 2");
    await page.keyboard.type("x");
    await expect(question(page, 6).getByLabel("Option 2", { exact: true }).getAttribute("aria-invalid")).resolves.toBeNull();
    expect(playground.site.count("/some/where/umpire/worker.js")).toBe(loaded);

    // Errors from the model appear at their field, too.
    await page.getByRole("button", { name: "Remove question 6" }).click();
    await textField(page).fill("cat ".repeat(17_000));
    await page.getByRole("button", { name: "Decide" }).click();
    await alert.getByText("input_too_long").waitFor();
    await expect(textField(page).getAttribute("aria-invalid")).resolves.toBe("true");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("decides while typing, without complaints about unfinished fields, and keeps the draft after a reload", async () => {
    const { page, problems } = await playground.visit();
    await page.getByLabel("Decide as I type").check();
    await page.locator(".answer").first().waitFor();
    await page.getByRole("button", { name: "Duplicate question 2" }).click();
    await question(page, 3).getByLabel("Question", { exact: true }).fill("");
    await page.waitForTimeout(600);
    await expect(page.getByRole("alert").isVisible()).resolves.toBe(false);
    await expect(page.getByText("have changed since these answers").isVisible()).resolves.toBe(true);
    await question(page, 3).getByLabel("Question", { exact: true }).pressSequentially("Is it about money?", { delay: 20 });
    await page.locator('.answer[data-question="charged_twice_2"]').waitFor();
    await expect(page.locator(".answer").nth(2).innerText()).resolves.toContain("Is it about money?");
    await page.reload();
    await expect.poll(() => questions(page).count()).toBe(6);
    await expect(question(page, 3).getByLabel("Question", { exact: true }).inputValue()).resolves.toBe("Is it about money?");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("shows progress while the model loads, and can be stopped", async () => {
    const { page, problems } = await playground.visit();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route("**/weights.bin", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByText(/Loading the model: \d+\.\d of \d+\.\d MB/).waitFor();
    await expect.poll(() => page.getByRole("progressbar").getAttribute("value")).toMatch(/^0\.\d+/);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("progressbar").waitFor({ state: "hidden" });
    await expect(focused(page)).resolves.toMatch(/^Decide/);
    letGo();
    await decide(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("can switch the device, says if it is not available, and deletes downloaded files", async () => {
    const { page, problems } = await playground.visit();
    await decide(page);
    await expect(page.evaluate(async () => (await caches.keys()).length)).resolves.toBeGreaterThan(0);
    await page.getByText("Settings").click();
    await page.getByLabel("Device").selectOption("webgpu");
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByRole("alert").getByText("backend_unavailable").waitFor();
    await page.getByLabel("Device").selectOption("wasm");
    await decide(page);
    await expect(textOf(page, "more-facts-list")).resolves.toMatch(/Asked for\..* 38\.\d MB kept/);
    await page.getByRole("button", { name: "Delete downloaded files" }).click();
    await page.getByText("Deleted. They").waitFor();
    await expect(page.evaluate(() => caches.keys())).resolves.toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("works from any static server: without the headers that threads need, in one thread", async () => {
    const plain = await playground.serve({ isolated: false });
    const { page, problems } = await playground.visit({}, plain);
    await decide(page);
    await expect(textOf(page, "facts")).resolves.toContain("1 thread");
    await expect(textOf(page, "more-facts-list")).resolves.toContain("does not send the headers that threads need");
    expect(problems).toEqual([]);
    await page.context().close();
    await plain.close();
  });

  it("is served by npm run playground with headers that allow threads and block other origins", async () => {
    const server = spawn(process.execPath, ["examples/playground/serve.mjs", "--port", "0"], { cwd: packageRootPath });
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const url = /http:\/\/localhost:\d+\//.exec(line.toString())?.[0] ?? "";
    const { headers } = await fetch(url);
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    await expect(fetch(`${url}index.browser.js`).then((response) => response.text())).resolves.not.toContain("sourceMappingURL");
    await expect(fetch(`${url}index.browser.js.map`).then(({ status }) => status)).resolves.toBe(404);
    server.kill();
  });
});
