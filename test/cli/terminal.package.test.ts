import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { widthOf } from "../../src/cli/output/terminal-text.ts";
import { CLI, inTerminal, shell } from "../support/command-line.ts";

const ASK = [
  "decide",
  "--state",
  "The room was cold and the guest wants a refund.",
  "--choose",
  "What is wrong? heating, noise, food",
  "--ask",
  "Is a refund wanted?",
];

/** The only escape sequences that this program may send to a terminal: those for colours. */
const COLORS = /\u001b\[(?:1|2|22|3[0-7]|39)m/gu;

describe("in a terminal", () => {
  test("answers are shown as coloured bars", async () => {
    const { code, stdout } = await inTerminal(shell(ASK));
    expect(code).toBe(0);
    expect(stdout).toMatch(/\u001b\[1mWhat is wrong\?\u001b\[22m/u);
    expect(stdout).toMatch(/\u001b\[3[23]m█/u);
    expect(stdout).toMatch(/tokens in, \d+ out/u);
  });

  test("--json prints JSON", async () => {
    const { stdout } = await inTerminal(shell([...ASK, "--json"]));
    expect(Object.keys((JSON.parse(stdout) as { answers: object }).answers)).toEqual(["choose", "ask"]);
  });

  test.each([
    ["NO_COLOR", ASK, { NO_COLOR: "1" }],
    ["FORCE_COLOR=0", ASK, { FORCE_COLOR: "0" }],
    ["a terminal without colours", ASK, { TERM: "dumb" }],
    ["--no-color", [...ASK, "--no-color"], {}],
  ])("%s switches colours off", async (_name, args, env) => {
    const { stdout } = await inTerminal(shell(args), { env });
    expect(stdout).toContain("█");
    expect(stdout).not.toContain("\u001b");
  });

  test.each([
    [40, 40],
    [80, 80],
    [200, 100],
  ])("that is %i columns wide, lines take at most %i", async (columns, widest) => {
    const { stdout } = await inTerminal(
      shell([...ASK, "--rate", "How angry is the guest, on the whole, about all of this? not at all angry, beside himself with anger"]),
      { columns },
    );
    const widths = stripVTControlCharacters(stdout).split(/\r?\n/u).map(widthOf);
    expect(Math.max(...widths)).toBeLessThanOrEqual(widest);
    expect(Math.max(...widths)).toBeGreaterThan(Math.min(widest, 80) / 2);
  });

  test("a call without a request or flags says what to do, instead of waiting for input", async () => {
    const { code, stdout } = await inTerminal(shell(["decide"]));
    expect(code).toBe(2);
    expect(stdout).toContain("umpire: There is nothing to decide.");
  });

  test("questions without a state are refused", async () => {
    const { code, stdout } = await inTerminal(shell(["decide", "--ask", "Is it?"]));
    expect(code).toBe(2);
    expect(stdout).toContain("There is nothing to judge.");
  });
});

describe("text that would control the terminal", () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\u009b5m\u202e";
  const request = {
    title: `title ${evil}`,
    state: { [`key ${evil}`]: `value ${evil}` },
    questions: {
      [`id ${evil}`]: { type: "choice", instructions: `which ${evil}`, criteria: { [`a ${evil}`]: `said ${evil}`, b: { [evil]: evil } } },
      n: { type: "noul", criteria: { true: `yes ${evil}` } },
      s: { type: "score", instructions: [evil], criteria: [`low ${evil}`, `high ${evil}`] },
    },
  };
  const pipe = (value: unknown, command: string): string => `printf '%s' '${JSON.stringify(value).replaceAll("'", "")}' | ${command}`;

  test.each(["--pretty", "--json"])("is shown escaped (%s)", async (view) => {
    const { code, stdout } = await inTerminal(pipe(request, shell(["decide", view])));
    expect(code).toBe(0);
    expect(stdout).toContain(String.raw`\u001b]0;owned\u0007`);
    expect(stdout.replace(COLORS, "").replaceAll("\r\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
  });

  test.each([
    ["the place of an issue", pipe({ state: 1, questions: { [evil]: { type: evil } } }, shell(["decide"]))],
    ["a file's name", shell(["decide", `no such ${evil.replace("\u202e", "")}`])],
    ["an unknown flag", shell(["decide", `--${evil}`])],
    ["an unknown command", shell([evil])],
    ["a bad value", shell(["decide", "--threads", evil])],
    ["a model's name", shell(["decide", "--state", "x", "--ask", "y", "--model", evil])],
    ["text that is not JSON", `printf '%s' '${evil}' | '${process.execPath}' '${CLI}' decide`],
  ])("is shown escaped in the message about %s", async (_name, command) => {
    const { code, stdout } = await inTerminal(command);
    expect(code).toBe(2);
    expect(stdout).toContain("umpire: ");
    expect(stdout.replaceAll("\r\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
  });
});
