import { describe, expect, it } from "vitest";
import { runProgram } from "../../../support/child-program.ts";
import { catTokens } from "../../../support/long-requests.ts";
import { ASKED, TEXTS } from "../../../support/texts.ts";

// How a program ends at other moments is in program-end.faults.test.ts.

const QUESTIONS = { late: { type: "noul", instructions: ASKED.late } };
const REQUEST = JSON.stringify({ state: TEXTS.late, questions: QUESTIONS });
/** Takes some seconds. */
const LONG = JSON.stringify({ state: catTokens(12_000), questions: QUESTIONS });

describe("a program ends by itself", () => {
  it("after errors and answers, whether it closes its deciders, leaves them open or never uses them, and after an abort", async () => {
    const source = `
      import { createDecider, decide } from "umpire";
      for (const request of [{}, { ...${REQUEST}, model: "none" }, { ...${REQUEST}, state: "x ".repeat(20000) }])
        await decide(request).catch(({ code }) => console.log(code));
      console.log((await decide(${REQUEST})).model);
      const closed = createDecider();
      await closed.decide(${REQUEST});
      await closed.close();
      console.log("closed");
      createDecider();
      console.log((await createDecider({ inline: true }).decide(${REQUEST})).model);
      const open = await createDecider();
      console.log((await open.decide(${REQUEST})).model);
      await open.decide(${LONG}, { signal: AbortSignal.timeout(100) }).catch(({ name }) => console.log(name));`;
    expect(await runProgram(source)).toMatchObject({
      code: 0,
      signal: null,
      stdout: "invalid_request\nmodel_not_found\ninput_too_long\numpire-2\nclosed\numpire-2\numpire-2\nTimeoutError\n",
      stderr: "",
    });
  });

  it("after its answers, when it is CommonJS and awaits none of them, and does not look at one", async () => {
    const source = `import("umpire").then(({ decide }) => {
      void decide(${REQUEST});
      decide(${REQUEST}).then(({ model }) => console.log(model));
      console.log("asked");
    });`;
    expect(await runProgram(source, { type: "commonjs" })).toMatchObject({
      code: 0,
      signal: null,
      stdout: "asked\numpire-2\n",
      stderr: "",
    });
  });

  it("with exit code 1 when an error of decide() is not handled", async () => {
    const { code, stderr } = await runProgram(`import { decide } from "umpire"; void decide({});`);
    expect(code).toBe(1);
    expect(stderr).toContain("DecideError");
  });
});

it("a program that exits during a call keeps its exit code", async () => {
  const source = `
    import { createDecider } from "umpire";
    const decider = await createDecider();
    void decider.decide(${LONG}).catch(() => undefined);
    setTimeout(() => process.exit(3), 150);`;
  expect(await runProgram(source)).toMatchObject({ code: 3, signal: null, stderr: "" });
});
