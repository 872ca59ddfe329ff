import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Explanation } from "../../src/explain/index.ts";
import { inTerminal, shell, umpire } from "../support/command-line.ts";

const STATE = "Hello from Leeds. I was charged twice this month. The weather is fine here.";
const REQUEST = {
  state: STATE,
  questions: {
    route: { type: "choice", instructions: "Which team should handle this?", criteria: { billing: null, technical: null, sales: null } },
    twice: { type: "noul", instructions: "Was the customer charged twice?" },
  },
};
const TYPED = ["--state", STATE, "--choose", "Which team should handle this? billing, technical, sales"];

let folder = "";
let file = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "umpire-explain-"));
  file = join(folder, "request.json");
  await writeFile(file, JSON.stringify(REQUEST));
});
afterAll(() => rm(folder, { recursive: true }));

describe("umpire explain", () => {
  test("prints the explanation of one question of a request as JSON, from a file, a pipe or flags", async () => {
    const [fromFile, piped, typed] = await Promise.all([
      umpire(["explain", file, "--question", "route"]),
      umpire(["explain", "-q", "route"], { stdin: JSON.stringify(REQUEST) }),
      umpire(["explain", ...TYPED]),
    ]);
    expect({ code: fromFile.code, stderr: fromFile.stderr }).toEqual({ code: 0, stderr: "" });
    const { key, text, passages, readings } = JSON.parse(fromFile.stdout) as Explanation;
    expect({ key, text, readings }).toEqual({ key: "billing", text: STATE, readings: 4 });
    const [first] = passages;
    expect(text.slice(first?.start, first?.end)).toBe("I was charged twice this month. ");
    expect(piped.stdout).toBe(fromFile.stdout);
    expect(typed.stdout).toBe(fromFile.stdout);
  });

  test("divides the text into as few parts as wanted", async () => {
    const { stdout } = await umpire(["explain", ...TYPED, "--max-passages", "2"]);
    expect((JSON.parse(stdout) as Explanation).passages).toHaveLength(2);
  });

  test("shows the text in a terminal, what made the answer underlined, with figures that need no colour", async () => {
    const colored = await inTerminal(shell(["explain", ...TYPED]));
    expect(colored.stdout).toContain("\u001b[4m\u001b[32mI was charged twice this month.");
    const plain = await umpire(["explain", ...TYPED, "--pretty"]);
    expect(plain.stdout).not.toContain("\u001b");
    expect(plain.stdout).toMatch(/→ billing.*\n\n.*Hello from Leeds\.\n {2}\+\d\.\d\d {2}I was charged twice this month\.\n.*The weather/u);
    expect(plain.stdout).toContain("read 4 times");
  });

  test("asks for the question where there are several, and says which there are", async () => {
    const [unnamed, other] = await Promise.all([umpire(["explain", file]), umpire(["explain", file, "--question", "rout"])]);
    expect(unnamed).toMatchObject({
      code: 2,
      stderr: "umpire: The request has 2 questions. Name one with --question: route, twice.\n",
    });
    expect(other).toMatchObject({
      code: 2,
      stderr: "umpire: There is no question with the id of --question. Name one with --question: route, twice.\n",
    });
  });

  test("refuses bad input, and says what is wrong with it", async () => {
    const [empty, both, none] = await Promise.all([
      umpire(["explain"], { stdin: JSON.stringify({ state: STATE, questions: {} }) }),
      umpire(["explain", file, "--state", "x"]),
      umpire(["explain", "--max-passages", "0", file]),
    ]);
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining("questions: must hold at least one question") as string });
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("not both") as string });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("1 or more") as string });
  });
});
