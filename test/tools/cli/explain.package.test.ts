import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Explanation } from "../../../src/library/explain/explain.ts";
import { umpire } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";

const STATE = "Hello from Leeds. I was charged twice this month. The weather is fine here.";
const REQUEST = {
  state: STATE,
  questions: {
    route: { type: "choice", instructions: "Which team should handle this?", criteria: { billing: null, technical: null, sales: null } },
    twice: { type: "noul", instructions: "Was the customer charged twice?" },
  },
};
const TYPED = ["--state", STATE, "--choose", "Which team should handle this? billing, technical, sales"];

describe("umpire explain", () => {
  test("prints the explanation of one question of a request as JSON, from a file, a pipe or flags", async () => {
    const file = join(tempDir(), "request.json");
    await writeFile(file, JSON.stringify(REQUEST));
    const fromFile = await umpire(["explain", file, "--question", "route"]);
    expect({ code: fromFile.code, stderr: fromFile.stderr }).toEqual({ code: 0, stderr: "" });
    const { key, text, passages, readings } = JSON.parse(fromFile.stdout) as Explanation;
    expect({ key, text, readings }).toEqual({ key: "billing", text: STATE, readings: 4 });
    const [first] = passages;
    expect(text.slice(first?.start, first?.end)).toBe("I was charged twice this month. ");
    expect((await umpire(["explain", "-q", "route"], { stdin: JSON.stringify(REQUEST) })).stdout).toBe(fromFile.stdout);
    expect((await umpire(["explain", ...TYPED])).stdout).toBe(fromFile.stdout);
  });

  test("divides the text into as few parts as wanted", async () => {
    const { stdout } = await umpire(["explain", ...TYPED, "--max-passages", "2"]);
    expect((JSON.parse(stdout) as Explanation).passages).toHaveLength(2);
  });

  test("shows the text in a terminal, what made the answer underlined, with figures that need no colour", async () => {
    const colored = await umpire(["explain", ...TYPED], { terminal: 80 });
    expect(colored.stdout).toContain("\u001b[4m\u001b[32mI was charged twice this month.");
    const plain = await umpire(["explain", ...TYPED, "--pretty"]);
    expect(plain.stdout).not.toContain("\u001b");
    expect(plain.stdout).toMatch(/→ billing.*\n\n.*Hello from Leeds\.\n {2}\+\d\.\d\d {2}I was charged twice this month\.\n.*The weather/u);
    expect(plain.stdout).toContain("read 4 times");
  });

  test("refuses a request that is not valid, and says what is wrong with it", async () => {
    const { code, stdout, stderr } = await umpire(["explain"], { stdin: JSON.stringify({ state: STATE, questions: {} }) });
    expect(stderr).toContain("questions: must hold at least one question");
    expect([code, stdout]).toEqual([2, ""]);
  });
});
