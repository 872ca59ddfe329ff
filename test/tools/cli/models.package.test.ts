import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { umpire } from "../../support/command-line.ts";

interface Listed {
  readonly models: readonly {
    readonly name: string;
    readonly description: string;
    readonly release_date: string;
    readonly x_latest: boolean;
  }[];
}

test("models lists every pack as JSON, with one marked as the latest", async () => {
  const { code, stdout } = await umpire(["models"]);
  expect(code).toBe(0);
  const { models } = JSON.parse(stdout) as Listed;
  const folders = await readdir(new URL("models/", PACKAGE_ROOT));
  expect(models.length).toBeGreaterThan(0);
  for (const { name, description, release_date } of models) {
    expect(folders).toContain(name);
    expect(description).toMatch(/\w/u);
    expect(release_date).toMatch(/^\d{4}-\d{2}-\d{2}$/u);
  }
  expect(models.filter(({ x_latest }) => x_latest)).toHaveLength(1);
  // The newest comes first, and the marked one answers requests that name no model.
  expect(models[0]?.x_latest).toBe(true);
  const answered = await umpire(["decide", "--state", "x", "--ask", "Is it?"]);
  expect((JSON.parse(answered.stdout) as { model: string }).model).toBe(models[0]?.name);
});

test("models --pretty lists them for people", async () => {
  const { stdout } = await umpire(["models", "--pretty"]);
  expect(stdout).toMatch(/^umpire-2 {2}\d{4}-\d{2}-\d{2} {2}latest {2}\d+ MB\n {2}\w/u);
});
