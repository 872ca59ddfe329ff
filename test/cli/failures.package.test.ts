import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { umpire } from "./run-cli.ts";

const ASK = ["--state", "x", "--ask", "Is it?"];
const QUESTION = { type: "noul", instructions: "Is it?" };

/** The message is there, without a stack. */
function expectMessage(stderr: string, message: string): void {
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^umpire: /u);
  expect(stderr).not.toMatch(/^\s+at /mu);
}

describe("bad input ends with exit code 2", () => {
  test.each([
    ["an unknown flag", ["decide", "--sate", "x"], "unknown option '--sate'"],
    ["an unknown command", ["judge"], "unknown command 'judge'"],
    ["a state without a question", ["decide", "--state", "x"], "There is no question."],
    ["a question without a state", ["decide", "--ask", "Is it?"], "There is nothing to judge: standard input is empty."],
    ["a file and flags", ["decide", "request.json", ...ASK], "Give a request file or --state with questions, not both"],
    ["a missing file", ["decide", "missing.json"], "missing.json cannot be read: there is no such file."],
    ["a text instead of a file", ["decide", "I was charged twice."], "there is no such file. For a text to judge, did you mean --state?"],
    [
      "a text that is too long for a file's name",
      ["decide", "late ".repeat(100), "--ask", "Is it?"],
      "… cannot be read: there is no such file. For a text to judge, did you mean --state?",
    ],
    ["--text for --state", ["decide", "--text", "x", "--ask", "Is it?"], "unknown option '--text' (did you mean --state?)"],
    ["--state for --text-column", ["eval", "a.csv", "--state", "body"], "unknown option '--state' (did you mean --text-column?)"],
    ["--question for --ask", ["decide", "--state", "x", "--question"], "unknown option '--question' (did you mean --ask?)"],
    [
      "one option",
      ["decide", ...ASK, "--choose", "a"],
      "'--choose <options>' argument 'a' is invalid. Separate at least 2 options with commas.",
    ],
    ["one level", ["decide", ...ASK, "--rate", "a"], "'--rate <levels>' argument 'a' is invalid. Separate at least 2 levels with commas."],
    ["an empty question", ["decide", "--state", "x", "--ask", " "], "It must be a question, such as"],
    ["a folder instead of a file", ["decide", "."], ". cannot be read: it is a folder."],
    ["a missing file for the state", ["decide", "--state", "@missing.txt", "--ask", "?"], "missing.txt cannot be read"],
    ["bytes that are no number", ["serve", "--cache-bytes", "32 MB"], "It must be a whole number of bytes, 0 or more."],
    ["threads that are not a number", ["decide", ...ASK, "--threads", "many"], "It must be a whole number, 1 or more."],
    ["an unknown precision", ["decide", ...ASK, "--precision", "int4"], "Allowed choices are int8, fp32."],
    ["two output formats at once", ["decide", ...ASK, "--json", "--pretty"], "cannot be used with option '--pretty'"],
    ["an option that appears twice", ["decide", "--state", "x", "--choose", "a, b, a"], 'The option "a" appears twice.'],
    ["an unknown model", ["decide", ...ASK, "--model", "none"], 'There is no model "none".'],
  ])("%s", async (_name, args, message) => {
    const { code, stdout, stderr } = await umpire(args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expectMessage(stderr, message);
  });

  test("a call without a command prints the help", async () => {
    const { code, stderr } = await umpire([]);
    expect(code).toBe(2);
    expect(stderr).toContain("Usage: umpire [options] [command]");
  });

  test("standard input that is not JSON, with the place of the error", async () => {
    const { code, stderr } = await umpire(["decide"], { stdin: '{"state": "x",\n  "questions": {},\n}' });
    expect(code).toBe(2);
    expectMessage(
      stderr,
      "standard input is not valid JSON: the error is at line 3, column 1. A request is a JSON object with state and questions.",
    );
  });

  test("empty standard input", async () => {
    const { code, stderr } = await umpire(["decide"]);
    expect(code).toBe(2);
    expectMessage(stderr, "standard input is empty. A request is a JSON object");
  });

  test("an invalid request, with the place of every issue", async () => {
    const questions = { route: { type: "choice", instructions: "Which?", criteria: { a: null } }, "a b": { type: "rank" }, ok: QUESTION };
    const { code, stderr } = await umpire(["decide"], { stdin: JSON.stringify({ state: 5, questions }) });
    expect(code).toBe(2);
    expect(stderr.split("\n")).toEqual([
      "umpire: standard input is not valid:",
      "  state: must be a string, an object or an array, but is a number",
      '  questions.route.criteria: must hold at least 2 options, such as { "billing": null, "other": null }, but holds 1',
      expect.stringMatching(/^ {2}questions\["a b"\]\.type: must be "choice", "noul" or "score"/u) as string,
      "",
    ]);
  });

  test("a request with hundreds of issues, of which 20 are listed and the others counted", async () => {
    const questions = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`q${i}`, 1]));
    const { code, stderr } = await umpire(["decide"], { stdin: JSON.stringify({ state: "x", questions }) });
    expect(code).toBe(2);
    expect(stderr.trimEnd().split("\n")).toHaveLength(22);
    expect(stderr).toContain("\n  … 480 more\n");
  });

  test("too many threads", async () => {
    const { code, stderr } = await umpire(["decide", ...ASK, "--threads", "65"]);
    expect(code).toBe(2);
    expectMessage(stderr, "--threads: must be a whole number from 1 to 64");
  });

  test("a state longer than the model's limit", async () => {
    const { code, stderr } = await umpire(["decide", "--ask", "Is it?"], { stdin: "word ".repeat(20_000) });
    expect(code).toBe(2);
    expectMessage(stderr, "The request is too long");
    expect(stderr).toMatch(/\n {2}state: has [\d,]+ tokens, more than the model's limit of 16,?384/u);
  });
});

describe("any other failure ends with exit code 1", () => {
  test("a folder without a model", async () => {
    const folder = await mkdtemp(join(tmpdir(), "umpire-no-model-"));
    const { code, stdout, stderr } = await umpire(["decide", ...ASK, "--model", folder]);
    await rm(folder, { recursive: true });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expectMessage(stderr, "manifest.json");
  });
});

describe("success ends with exit code 0", () => {
  test("--version prints the package's version", async () => {
    const { code, stdout } = await umpire(["--version"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });

  test.each([
    [["--help"], "Commands:"],
    [["decide", "--help"], "Examples:"],
    [["help", "decide"], "--choose <options>"],
  ])("%j prints help", async (args, part) => {
    const { code, stdout, stderr } = await umpire(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(part);
  });
});
