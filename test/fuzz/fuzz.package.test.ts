import { expect, it } from "vitest";
import { runScript } from "../support/child-program.ts";

it("the fuzzer refuses a number of cases that is none, before it runs anything", async () => {
  for (const cases of ["many", "0", "1.5"]) {
    const { code, stdout, stderr } = await runScript("test/fuzz/fuzz.mjs", { args: [cases] });
    expect([code, stdout, stderr]).toEqual([2, "", "usage: npm run fuzz [-- cases [seed]]\n"]);
  }
});
