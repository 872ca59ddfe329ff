import { describe, expect, it } from "vitest";
import { runProgram } from "../../../support/child-program.ts";
import { catTokens } from "../../../support/long-requests.ts";
import { ASKED, TEXTS } from "../../../support/texts.ts";

const QUESTIONS = { late: { type: "noul", instructions: ASKED.late } };
const REQUEST = JSON.stringify({ state: TEXTS.late, questions: QUESTIONS });
/** Takes some seconds. */
const LONG = JSON.stringify({ state: catTokens(12_000), questions: QUESTIONS });

describe("a program that ends during a call", () => {
  const asking = (then: string): string => `
    import { createDecider } from "umpire";
    const decider = await createDecider();
    void decider.decide(${LONG}).catch(() => undefined);
    setTimeout(() => { ${then} }, Number(process.argv.at(-1)));`;

  it.each([10, 60, 300])("by process.exit keeps its exit code (after %i ms)", async (afterMs) => {
    expect(await runProgram(asking("process.exit(3);"), { args: [String(afterMs)] })).toMatchObject({ code: 3, signal: null, stderr: "" });
  });

  it("by an error of its own shows that error", async () => {
    const { code, signal, stderr } = await runProgram(asking(`throw new Error("the program's own");`), { args: ["150"] });
    expect([code, signal]).toEqual([1, null]);
    expect(stderr).toContain("the program's own");
    expect(stderr).not.toContain("Napi");
  });

  it.each([20, 80, 140, 200])("while the model loads keeps its exit code (after %i ms)", async (afterMs) => {
    const source = `import { decide } from "umpire"; void decide(${REQUEST}); setTimeout(() => process.exit(3), ${afterMs});`;
    expect(await runProgram(source)).toMatchObject({ code: 3, signal: null, stderr: "" });
  });

  // Only here does a program end with nothing but that call behind it.
  it.each([
    ["it never looks at its answer", `void decide(${REQUEST}); console.log("ended");`],
    [
      "it aborts the first one while the model loads",
      `decide(${REQUEST}, { signal: AbortSignal.timeout(5) }).catch(() => console.log("ended"));`,
    ],
  ])("ends by itself when %s", async (_, source) => {
    expect(await runProgram(`import { decide } from "umpire"; ${source}`)).toMatchObject({
      code: 0,
      signal: null,
      stdout: "ended\n",
      stderr: "",
    });
  });
});
