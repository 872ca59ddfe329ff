import { expect, it } from "vitest";
import { runScript } from "./support/child-program.ts";

/** Every test run checks the fuzzer itself and some of its requests. */
it("a hundred random requests break no rule", async () => {
  const { code, stdout, stderr } = await runScript("test/fuzz/fuzz.mjs", { args: ["120", "1"] });
  expect(stderr).toBe("");
  expect(stdout).toContain("no failure (seed 1)");
  expect(stdout).toMatch(/\d+ {2}valid: answer/);
  expect(code).toBe(0);
});

it("the fuzzer refuses invalid arguments", async () => {
  const { code, stderr } = await runScript("test/fuzz/fuzz.mjs", { args: ["many"] });
  expect(code).toBe(2);
  expect(stderr).toContain("usage");
});
