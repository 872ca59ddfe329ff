import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Worker } from "node:worker_threads";
import { beforeAll, describe, expect, test } from "vitest";
import { widthOf } from "../../../src/tools/cli/output/terminal-text.ts";
import type { DecideResponse } from "../../../src/library/decide/types.ts";
import { umpire } from "../../support/command-line.ts";
import type { Run } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";

const TEXT = "I was charged twice for March and want one payment back.";
const REQUEST = {
  title: "Ticket",
  state: TEXT,
  questions: {
    route: { type: "choice", instructions: "Which team should handle this?", criteria: { billing: null, technical: null, sales: null } },
    twice: { type: "noul", instructions: "Was the customer charged twice?" },
  },
};
const JSON_OF_REQUEST = JSON.stringify(REQUEST);

const folder = tempDir();
const inFolder = (name: string): string => join(folder, name);
/** Of the request from standard input. */
let piped: Run;

beforeAll(async () => {
  await writeFile(inFolder("request.json"), JSON_OF_REQUEST);
  await writeFile(inFolder("other.json"), `\ufeff${JSON.stringify({ ...REQUEST, state: "My app crashes.", title: undefined })}`);
  await writeFile(inFolder("text.txt"), TEXT);
  piped = await umpire(["decide"], { stdin: JSON_OF_REQUEST });
});

const answersOf = (stdout: string): DecideResponse["answers"] => (JSON.parse(stdout) as DecideResponse).answers;

describe("a request as JSON", () => {
  test("from standard input is answered as one JSON document", () => {
    const { code, stdout, stderr } = piped;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const response = JSON.parse(stdout) as DecideResponse;
    expect(response.model).toBe("umpire-2");
    expect(Object.keys(response.answers)).toEqual(["route", "twice"]);
    expect(response.answers["route"]).toMatchObject({ type: "choice", choice: "billing" });
    expect(response.usage.input_tokens).toBeGreaterThan(20);
    expect(stdout).toBe(`${JSON.stringify(response, null, 2)}\n`);
  });

  test("from a file gives the same answer", async () => {
    expect((await umpire(["decide", inFolder("request.json")])).stdout).toBe(piped.stdout);
    expect((await umpire(["decide", "-"], { stdin: JSON_OF_REQUEST })).stdout).toBe(piped.stdout);
  });

  test("from several files gives an array in their order", async () => {
    const { code, stdout } = await umpire(["decide", inFolder("other.json"), inFolder("request.json")]);
    expect(code).toBe(0);
    const responses = JSON.parse(stdout) as DecideResponse[];
    expect(responses.map(({ answers }) => (answers["route"] as { choice: string }).choice)).toEqual(["technical", "billing"]);
  });

  test("is never coloured, in a terminal or if colours are forced", async () => {
    const { stdout } = await umpire(["decide", "-", "--json"], { stdin: JSON_OF_REQUEST, terminal: 80, env: { FORCE_COLOR: "1" } });
    expect(stdout).toBe(piped.stdout);
  });

  test("accepts --precision and --threads", async () => {
    const flags = ["--precision", "fp32", "--threads", "1"];
    const fp32 = answersOf((await umpire(["decide", inFolder("request.json"), ...flags])).stdout)["twice"] as { noul: number };
    const int8 = answersOf(piped.stdout)["twice"] as { noul: number };
    expect(fp32.noul).not.toBe(int8.noul);
    expect(fp32.noul).toBeCloseTo(int8.noul, 1);
  });
});

describe("questions on the command line", () => {
  const ASK = ["--ask", "Was the customer charged twice?"];

  test("are answered in the order asked, each with its own id", async () => {
    const questions = [...ASK, "--choose", "Which team? billing, technical", "--rate", "calm, furious", "--ask", "Is it?"];
    const { code, stdout } = await umpire(["decide", "--state", TEXT, ...questions]);
    expect(code).toBe(0);
    expect(Object.entries(answersOf(stdout)).map(([id, { type }]) => [id, type])).toEqual([
      ["ask", "noul"],
      ["choose", "choice"],
      ["rate", "score"],
      ["ask_2", "noul"],
    ]);
  });

  test.each([
    ["given by --state", (): string[] => ["--state", TEXT], ""],
    ["piped in", (): string[] => [], TEXT],
    ["piped in for --state -", (): string[] => ["--state", "-"], TEXT],
    ["read from a file", (): string[] => ["--state", `@${inFolder("text.txt")}`], ""],
  ])("get the same answers as the same request in JSON, about a state %s", async (_name, flags, stdin) => {
    const choose = ["--choose", "Which team should handle this? billing, technical, sales"];
    const { code, stdout } = await umpire(["decide", ...flags(), ...choose, ...ASK], { stdin });
    expect(code).toBe(0);
    expect(Object.values(answersOf(stdout))).toEqual(Object.values(answersOf(piped.stdout)));
  });
});

describe("the output for people", () => {
  test("goes to a pipe with --pretty: state, question, bars, verdict and cost", async () => {
    const { code, stdout } = await umpire(["decide", "--pretty", inFolder("request.json")]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^── Ticket ─+\n\n│ I was charged twice .*\n\nWhich team should handle this\?\n {2}billing +█/u);
    expect(stdout).toMatch(/→ billing · (fairly )?sure \(right in \d\d of 100\)/u);
    expect(stdout).toMatch(/Was the customer charged twice\?\n {2}yes {2}█+/u);
    expect(stdout).toMatch(/\numpire-2 · \d+ tokens in, \d+ out · \d+ ms\n$/u);
    expect(stdout).not.toContain("\u001b");
  });

  test("does not repeat a state given on the command line, and is coloured if colours are forced", async () => {
    const args = ["decide", "--pretty", "--state", TEXT, "--ask", "Is it about money?"];
    const { stdout } = await umpire(args, { env: { FORCE_COLOR: "1" } });
    expect(stdout).toMatch(/^\u001b\[1mIs it about money\?\u001b\[22m\n/u);
    expect(stdout).not.toContain("│");
  });

  test("heads each of several requests with its title or file, and ends with a summary", async () => {
    const { stdout } = await umpire(["decide", "--pretty", inFolder("request.json"), inFolder("other.json")]);
    expect(stdout).toContain("── Ticket ─");
    // A name longer than the line is clipped.
    expect(stdout).toContain(`── ${inFolder("other.json").slice(0, 60)}`);
    expect(stdout).toMatch(/\n2 requests, 4 questions( · \d for a person to check)?\n\d+ tokens in, \d+ out · [\d,]+ ms\n$/u);
  });
});

describe("in a terminal", () => {
  const ASK = [
    ...["decide", "--state", "The room was cold and the guest wants a refund.", "--choose", "What is wrong? heating, noise, food"],
    ...["--rate", "How angry is the guest, on the whole, about all of this? not at all angry, beside himself with anger"],
  ];

  test("answers are shown as coloured bars", async () => {
    const { code, stdout } = await umpire(ASK, { terminal: 80 });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\u001b\[1mWhat is wrong\?\u001b\[22m/u);
    expect(stdout).toMatch(/\u001b\[3[23]m█/u);
    expect(stdout).toMatch(/tokens in, \d+ out/u);
  });

  test.each([
    [40, 40, []],
    [200, 100, ["--no-color"]],
  ])("that is %i columns wide, lines take at most %i", async (terminal, widest, flags) => {
    const { stdout } = await umpire([...ASK, ...flags], { terminal });
    const widths = stripVTControlCharacters(stdout).split("\n").map(widthOf);
    expect(Math.max(...widths)).toBeLessThanOrEqual(widest);
    expect(Math.max(...widths)).toBeGreaterThan(Math.min(widest, 80) / 2);
    expect(stdout.includes("\u001b")).toBe(flags.length === 0);
  });
});

describe("what a terminal would obey", () => {
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
  /** The only escape sequences that this program may send to a terminal: those for colours. */
  const COLORS = /\u001b\[(?:1|2|22|3[0-7]|39)m/gu;

  test.each(["--pretty", "--json"])("is shown escaped (%s), and JSON is still the same", async (view) => {
    const { code, stdout } = await umpire(["decide", "-", view], { stdin: JSON.stringify(request), terminal: 80 });
    expect(code).toBe(0);
    expect(stdout).toContain(String.raw`\u001b]0;owned\u0007`);
    expect(stdout.replace(COLORS, "").replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    if (view === "--json") expect(Object.keys(answersOf(stdout))).toEqual([`id ${evil}`, "n", "s"]);
  });

  test.each<[where: string, args: string[], stdin?: string]>([
    ["the place of an issue", ["decide", "-"], JSON.stringify({ state: 1, questions: { [evil]: { type: evil } } })],
    ["a file's name", ["decide", `no such ${evil}`]],
    ["an unknown flag", ["decide", `--${evil}`]],
    ["an unknown command", [evil]],
    ["a bad value", ["decide", "--threads", evil]],
    ["a model's name", ["decide", "--state", "x", "--ask", "y", "--model", evil]],
    ["text that is not JSON", ["decide", "-"], evil],
  ])("is shown escaped in the message about %s", async (_name, args, stdin = "") => {
    const { code, stderr } = await umpire(args, { stdin, terminal: 80 });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^umpire: /u);
    expect(stderr.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
  });
});

describe("what cannot be answered is told in words, without a stack", () => {
  const ASK = ["--state", "x", "--ask", "Is it?"];

  test.each<[name: string, code: number, args: () => string[], stdin: string, message: RegExp]>([
    ["an unknown model", 2, () => [...ASK, "--model", "none"], "", /^umpire: There is no model "none"\./u],
    ["a folder without a model", 1, () => [...ASK, "--model", tempDir()], "", /^umpire: manifest\.json /u],
    [
      "a state longer than the model's limit",
      2,
      () => ["--ask", "Is it?"],
      "word ".repeat(20_000),
      /^umpire: The request is too long.*\n {2}state: has [\d,]+ tokens, more than the model's limit of 16,?384/u,
    ],
    [
      "a request that is wrong in several places",
      2,
      () => [],
      JSON.stringify({ state: 5, questions: { route: { ...REQUEST.questions.route, criteria: { a: null } }, "a b": { type: "rank" } } }),
      /^umpire: standard input is not valid:\n {2}state: must be a string, an object or an array, but is a number\n {2}questions\.route\.criteria: must hold at least 2 options, such as \{ "billing": null, "other": null \}, but holds 1\n {2}questions\["a b"\]\.type: must be "choice", "noul" or "score"[^\n]*\n$/u,
    ],
  ])("%s", async (_, exitCode, args, stdin, message) => {
    const { code, stdout, stderr } = await umpire(["decide", ...args()], { stdin });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /mu);
    expect([code, stdout]).toEqual([exitCode, ""]);
  });
});

test("commands close what they opened: no worker, and no listener, is left in the process", async () => {
  const workers: Worker[] = [];
  const onWorker = (message: unknown): void => void workers.push((message as { readonly worker: Worker }).worker);
  const listeners = (): string[] => process.eventNames().map((name) => `${String(name)}: ${process.listenerCount(name)}`);
  const request = inFolder("request.json");
  const [questions, examples] = [inFolder("questions.json"), inFolder("examples.csv")];
  await writeFile(questions, JSON.stringify(REQUEST.questions));
  await writeFile(examples, `text,label\n${"It came late.,yes\nIt came early.,no\n".repeat(4)}`);
  const before = listeners();
  subscribe("worker_threads", onWorker);
  try {
    for (const [args, code = 0] of [
      [["decide", request]],
      [["check", request]],
      [["explain", request, "--question", "twice"]],
      [["eval", examples]],
      // It learns nothing of so few.
      [["teach", examples, "--ask", "Is it late?", "--out", inFolder("lesson.json")], 5],
      [["run", questions, examples, "--out", inFolder("answers.jsonl"), "--workers", "2"]],
    ] as const satisfies (readonly [args: readonly string[], code?: number])[]) {
      expect((await umpire([...args], { loadsAnew: true })).code).toBe(code);
      expect([args[0], ...listeners()]).toEqual([args[0], ...before]);
    }
  } finally {
    unsubscribe("worker_threads", onWorker);
  }
  // That of a thread that has ended.
  expect(workers.map(({ threadId }) => threadId)).toEqual(Array<number>(7).fill(-1));
});
