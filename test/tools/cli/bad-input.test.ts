import { expect, test } from "vitest";
import { umpire } from "../../support/command-line.ts";

const ASK = ["--state", "x", "--ask", "Is it?"];

test.each<[name: string, args: string[], message: string]>([
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
  ["--label for --label-column", ["eval", "a.csv", "--label", "team"], "unknown option '--label' (did you mean --label-column?)"],
  ["--license for --licence", ["models", "add", "a", "--license", "mit"], "unknown option '--license' (did you mean --licence?)"],
  ["--question for --ask", ["decide", "--state", "x", "--question", "Is it?"], "There is no question. Ask with --choose, --ask or --rate"],
  [
    "an id of no file",
    ["decide", ...ASK, "--question", "late"],
    "There are two questions: one of a file or --question, one of other flags.",
  ],
  ["instructions alone", ["decide", "--state", "x", "--instructions", "Is it?"], "--instructions goes with --options."],
  [
    "options that are one",
    ["run", "a.csv", "--options", "billing"],
    "'--options <options>' argument 'billing' is invalid. Separate at least 2",
  ],
  [
    "options of no file",
    ["run", "a.csv", "--options", "teams.json", "--out", "a.jsonl"],
    "teams.json cannot be read: there is no such file.",
  ],
  [
    "one option",
    ["decide", ...ASK, "--choose", "a"],
    "'--choose <options>' argument 'a' is invalid. Separate at least 2 options with commas.",
  ],
  ["one level", ["decide", ...ASK, "--rate", "a"], "'--rate <levels>' argument 'a' is invalid. Separate at least 2 levels with commas."],
  ["an empty question", ["decide", "--state", "x", "--ask", " "], "It must be a question, such as"],
  ["a folder instead of a file", ["decide", "."], ". cannot be read: it is a folder."],
  ["a missing file for the state", ["decide", "--state", "@missing.txt", "--ask", "?"], "missing.txt cannot be read"],
  ["threads that are not a number", ["decide", ...ASK, "--threads", "many"], "It must be a whole number, 1 or more."],
  ["too many threads", ["decide", ...ASK, "--threads", "65"], "--threads: must be a whole number from 1 to 64"],
  ["an unknown precision", ["decide", ...ASK, "--precision", "int4"], "Allowed choices are int8, fp32."],
  ["two output formats at once", ["decide", ...ASK, "--json", "--pretty"], "cannot be used with option '--pretty'"],
  ["an option that appears twice", ["decide", "--state", "x", "--choose", "a, b, a"], 'The option "a" appears twice.'],
  ["no request", ["decide"], "standard input is empty. A request is a JSON object"],
  ["two files and a state", ["decide", "a.json", "b.json", "--state", "x"], "Give a request file or --state with questions, not both"],
  ["questions and a request file", ["decide", ".", "--questions", "q.json"], "Give a request file or --state with questions, not both"],
  ["an explanation in no parts", ["explain", ...ASK, "--max-passages", "0"], "It must be a whole number, 1 or more."],
  ["a port that is none", ["playground", "--port", "70000"], "It must be a whole number from 0 to 65535."],
  ["a negative port", ["playground", "--port=-1"], "It must be a whole number from 0 to 65535."],
  ["a port in words", ["playground", "--port=x"], "It must be a whole number from 0 to 65535."],
  ["a command without its argument", ["models", "show"], "missing required argument 'id'"],
  ["a mistyped command of models", ["models", "lst"], "unknown command 'lst'. \"umpire models --help\" lists them."],
  ["an argument of a list", ["models", "list", "all"], '"umpire models list" takes no arguments.'],
  ["a worker without a queue", ["worker"], "required option '--queue <url>' not specified"],
  [
    "a queue that is no Redis",
    ["worker", "--queue", "127.0.0.1:6379"],
    "--queue must be the URL of a Redis: redis://user:password@host:6379/0",
  ],
  [
    "a model that is no name of a hub",
    ["models", "add", "nowhere"],
    "There is no such folder. Give the folder of a model, or its name on a model hub: org/name.",
  ],
])("%s ends with exit code 2 and a message without a stack", async (_, args, message) => {
  const { code, stdout, stderr } = await umpire(args);
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^umpire: /u);
  expect(stderr).not.toMatch(/^\s+at /mu);
  expect([code, stdout]).toEqual([2, ""]);
});

test("standard input that is not JSON is told with the place of the error", async () => {
  const { code, stderr } = await umpire(["decide"], { stdin: '{"state": "x",\n  "questions": {},\n}' });
  expect([code, stderr]).toEqual([
    2,
    "umpire: standard input is not valid JSON: the error is at line 3, column 1. A request is a JSON object with state and questions.\n",
  ]);
});

test.each([
  ["decide", [], "There is nothing to decide. Give a request file, or --state with a question"],
  ["decide", ["--ask", "Is it?"], "There is nothing to judge. Give the text with --state, or pipe it in."],
  ["explain", [], "There is nothing to explain."],
])("in a terminal, %s %j is told what to give, instead of waiting for input", async (command, args, message) => {
  const { code, stderr } = await umpire([command, ...args], { terminal: 80 });
  expect(stderr).toContain(`umpire: ${message}`);
  expect(code).toBe(2);
});

test("a request with several questions is explained by one of them, which the message asks for", async () => {
  const questions = { route: { type: "noul", instructions: "Is it?" }, twice: { type: "noul", instructions: "Is it twice?" } };
  const stdin = JSON.stringify({ state: "x", questions });
  expect(await umpire(["explain"], { stdin })).toMatchObject({
    code: 2,
    stderr: "umpire: The request has 2 questions. Name one with --question: route, twice.\n",
  });
  expect(await umpire(["explain", "--question", "rout"], { stdin })).toMatchObject({
    code: 2,
    stderr: "umpire: standard input has no question of an id that --question names. It has: route, twice.\n",
  });
});

test("a call that fails is cleaned up: many of them listen to the process no more than one", async () => {
  const listeners = (): string[] => process.eventNames().map((name) => `${String(name)}: ${process.listenerCount(name)}`);
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);
  const before = listeners();
  for (let i = 0; i < 12; i++) await umpire(["models", "add", "./nowhere"]);
  expect(listeners()).toEqual(before);
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});
