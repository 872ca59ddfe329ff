import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { widthOf } from "../../../src/tools/cli/output/terminal-text.ts";
import { inTerminal, lacksTerminal, shell } from "../../support/command-line.ts";

const RATE = "How angry is the guest, on the whole, about all of this? not at all angry, beside himself with anger";

// What is shown in a terminal, the tests of each command say. These say that a process knows its terminal.
describe.skipIf(lacksTerminal())("in a terminal", () => {
  test("answers are shown in its colours and width", async () => {
    const { code, stdout } = await inTerminal(shell(["decide", "--state", "The room was cold.", "--rate", RATE]), { columns: 60 });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\u001b\[3[23]m█/u);
    const widths = stripVTControlCharacters(stdout).split(/\r?\n/u).map(widthOf);
    expect(Math.max(...widths)).toBeLessThanOrEqual(60);
    expect(Math.max(...widths)).toBeGreaterThan(40);
  });

  test("a terminal without colours gets none", async () => {
    const { stdout } = await inTerminal(shell(["decide", "--state", "The room was cold.", "--rate", RATE]), { env: { TERM: "dumb" } });
    expect(stdout).toContain("█");
    expect(stdout).not.toContain("\u001b");
  });

  test("a call without a request says what to do, instead of waiting for input", async () => {
    const { code, stdout } = await inTerminal(shell(["decide"]));
    expect(code).toBe(2);
    expect(stdout).toContain("umpire: There is nothing to decide.");
  });
});
