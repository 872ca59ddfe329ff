import { describe, expect, it } from "vitest";
import { runProgram } from "../../support/child-program.ts";
import { catTokens } from "../../support/long-requests.ts";

const REQUEST = `{ state: "The parcel is late.", questions: { late: { type: "noul", instructions: "Is it late?" } } }`;
/** Takes some seconds. */
const LONG = `{ state: ${JSON.stringify(catTokens(12_000))}, questions: { late: { type: "noul", instructions: "Is it late?" } } }`;

describe("a program ends by itself", () => {
  it.each([
    ["after decide()", `import { decide } from "umpire"; console.log((await decide(${REQUEST})).model);`, "umpire-2\n"],
    [
      "after the answer, when it never awaits decide()",
      `import { decide } from "umpire"; decide(${REQUEST}).then(({ model }) => console.log(model));`,
      "umpire-2\n",
    ],
    ["when it never looks at its answer", `import { decide } from "umpire"; void decide(${REQUEST}); console.log("asked");`, "asked\n"],
    [
      "after errors",
      `import { decide } from "umpire";
       for (const request of [{}, { ...${REQUEST}, model: "none" }, { ...${REQUEST}, state: "x ".repeat(20000) }])
         await decide(request).catch(({ code }) => console.log(code));`,
      "invalid_request\nmodel_not_found\ninput_too_long\n",
    ],
    [
      "after an abort",
      `import { decide } from "umpire";
       await decide(${LONG}, { signal: AbortSignal.timeout(900) }).catch(({ name }) => console.log(name));`,
      "TimeoutError\n",
    ],
    [
      "when it never closes its decider",
      `import { createDecider } from "umpire";
       const decider = await createDecider();
       console.log((await decider.decide(${REQUEST})).model);`,
      "umpire-2\n",
    ],
    ["when it never uses its decider", `import { createDecider } from "umpire"; createDecider(); console.log("made");`, "made\n"],
    [
      "after a decision on its own thread",
      `import { createDecider } from "umpire"; console.log((await createDecider({ inline: true }).decide(${REQUEST})).model);`,
      "umpire-2\n",
    ],
    [
      "after close()",
      `import { createDecider } from "umpire";
       const decider = createDecider();
       await decider.decide(${REQUEST});
       await decider.close();
       console.log("closed");`,
      "closed\n",
    ],
  ])("%s", async (_, source, stdout) => {
    expect(await runProgram(source)).toMatchObject({ code: 0, signal: null, stdout, stderr: "" });
  });

  it("when it is CommonJS", async () => {
    const source = `import("umpire").then(({ decide }) => decide(${REQUEST})).then(({ model }) => console.log(model));`;
    expect(await runProgram(source, { type: "commonjs" })).toMatchObject({ code: 0, signal: null, stdout: "umpire-2\n", stderr: "" });
  });

  it("with exit code 1 when an error of decide() is not handled", async () => {
    const { code, stderr } = await runProgram(`import { decide } from "umpire"; void decide({});`);
    expect(code).toBe(1);
    expect(stderr).toContain("DecideError");
  });
});

describe("a program that ends during a call", () => {
  const asking = (then: string): string => `
    import { createDecider } from "umpire";
    const decider = await createDecider();
    void decider.decide(${LONG}).catch(() => undefined);
    setTimeout(() => { ${then} }, Number(process.argv.at(-1)));`;

  it.each([10, 60, 150, 300])("by process.exit keeps its exit code (after %i ms)", async (afterMs) => {
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
});
