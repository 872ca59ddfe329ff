import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DecideResponse } from "../../src/decide/types.ts";
import { umpire } from "../support/command-line.ts";

const TEXT = "I was charged twice for March and want one payment back.";
const REQUEST = {
  title: "Ticket",
  state: TEXT,
  questions: {
    route: { type: "choice", instructions: "Which team should handle this?", criteria: { billing: null, technical: null, sales: null } },
    twice: { type: "noul", instructions: "Was the customer charged twice?" },
  },
};

let folder = "";
const inFolder = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "umpire-cli-"));
  await writeFile(inFolder("request.json"), JSON.stringify(REQUEST));
  await writeFile(inFolder("other.json"), `\ufeff${JSON.stringify({ ...REQUEST, state: "My app crashes.", title: undefined })}`);
  await writeFile(inFolder("text.txt"), TEXT);
});
afterAll(() => rm(folder, { recursive: true }));

const answersOf = (stdout: string): DecideResponse["answers"] => (JSON.parse(stdout) as DecideResponse).answers;

describe("a request as JSON", () => {
  test("from standard input is answered as one JSON document", async () => {
    const { code, stdout, stderr } = await umpire(["decide"], { stdin: JSON.stringify(REQUEST) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const response = JSON.parse(stdout) as DecideResponse;
    expect(response.model).toBe("umpire-2");
    expect(Object.keys(response.answers)).toEqual(["route", "twice"]);
    expect(response.answers["route"]).toMatchObject({ type: "choice", choice: "billing" });
    expect(response.usage.input_tokens).toBeGreaterThan(20);
    expect(stdout).toBe(`${JSON.stringify(response, null, 2)}\n`);
  });

  test("from a file gives the same answer", async () => {
    const [piped, file, dash] = await Promise.all([
      umpire(["decide"], { stdin: JSON.stringify(REQUEST) }),
      umpire(["decide", inFolder("request.json")]),
      umpire(["decide", "-"], { stdin: JSON.stringify(REQUEST) }),
    ]);
    expect(file.stdout).toBe(piped.stdout);
    expect(dash.stdout).toBe(piped.stdout);
  });

  test("from several files gives an array in their order", async () => {
    const { code, stdout } = await umpire(["decide", inFolder("other.json"), inFolder("request.json")]);
    expect(code).toBe(0);
    const responses = JSON.parse(stdout) as DecideResponse[];
    expect(responses.map(({ answers }) => (answers["route"] as { choice: string }).choice)).toEqual(["technical", "billing"]);
  });

  test("is written without characters that a terminal would obey, and is still the same JSON", async () => {
    const key = "\u001b[31m\u009b31m\u202e";
    const questions = { q: { type: "choice", instructions: "Which?", criteria: { [key]: null, b: null } } };
    const { stdout } = await umpire(["decide"], { stdin: JSON.stringify({ state: "x", questions }) });
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    expect(Object.keys((answersOf(stdout)["q"] as { probabilities: object }).probabilities)).toEqual([key, "b"]);
  });

  test("is never coloured, even if colours are forced", async () => {
    const { stdout } = await umpire(["decide"], { stdin: JSON.stringify(REQUEST), env: { FORCE_COLOR: "1" } });
    expect(answersOf(stdout)["route"]).toMatchObject({ choice: "billing" });
  });

  test("accepts --precision and --threads", async () => {
    const [int8, fp32] = await Promise.all(
      ["int8", "fp32"].map((precision) => umpire(["decide", inFolder("request.json"), "--precision", precision, "--threads", "1"])),
    );
    const [a, b] = [int8, fp32].map((run) => (answersOf(run?.stdout ?? "")["twice"] as { noul: number }).noul);
    expect(a).not.toBe(b);
    expect(a).toBeCloseTo(b ?? NaN, 1);
  });
});

describe("questions on the command line", () => {
  const QUESTIONS = [
    "--ask",
    "Was the customer charged twice?",
    "--choose",
    "Which team? billing, technical",
    "--rate",
    "calm, furious",
    "--ask",
    "Is it?",
  ];

  test("are answered in the order asked, each with its own id", async () => {
    const { code, stdout } = await umpire(["decide", "--state", TEXT, ...QUESTIONS]);
    expect(code).toBe(0);
    expect(Object.entries(answersOf(stdout)).map(([id, { type }]) => [id, type])).toEqual([
      ["ask", "noul"],
      ["choose", "choice"],
      ["rate", "score"],
      ["ask_2", "noul"],
    ]);
  });

  test("get the same answers as the same request in JSON", async () => {
    const [typed, json] = await Promise.all([
      umpire([
        "decide",
        "-s",
        TEXT,
        "--choose",
        "Which team should handle this? billing, technical, sales",
        "--ask",
        "Was the customer charged twice?",
      ]),
      umpire(["decide"], { stdin: JSON.stringify(REQUEST) }),
    ]);
    expect(Object.values(answersOf(typed.stdout))).toEqual(Object.values(answersOf(json.stdout)));
  });

  test.each([
    ["given by --state", (): string[] => ["--state", TEXT], ""],
    ["piped in", (): string[] => [], TEXT],
    ["piped in for --state -", (): string[] => ["--state", "-"], TEXT],
    ["read from a file", (): string[] => ["--state", `@${inFolder("text.txt")}`], ""],
  ])("accept a state %s", async (_name, flags, stdin) => {
    const { code, stdout } = await umpire(["decide", ...flags(), "--ask", "Was the customer charged twice?"], { stdin });
    expect(code).toBe(0);
    expect(answersOf(stdout)).toEqual(answersOf((await umpire(["decide", "-s", TEXT, "--ask", "Was the customer charged twice?"])).stdout));
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

  test("does not repeat a state given on the command line", async () => {
    const { stdout } = await umpire(["decide", "--pretty", "--state", TEXT, "--ask", "Is it about money?"]);
    expect(stdout).toMatch(/^Is it about money\?\n/u);
    expect(stdout).not.toContain("│");
  });

  test("heads each of several requests with its title or file, and ends with a summary", async () => {
    const { stdout } = await umpire(["decide", "--pretty", inFolder("request.json"), inFolder("other.json")]);
    expect(stdout).toContain("── Ticket ─");
    // A name longer than the line is clipped.
    expect(stdout).toContain(`── ${inFolder("other.json").slice(0, 60)}`);
    expect(stdout).toMatch(/\n2 requests, 4 questions( · \d for a person to check)?\n\d+ tokens in, \d+ out · [\d,]+ ms\n$/u);
  });

  test("is coloured if colours are forced, but not with --no-color", async () => {
    const args = ["decide", "--pretty", inFolder("request.json")];
    const [forced, refused] = await Promise.all([
      umpire(args, { env: { FORCE_COLOR: "1" } }),
      umpire([...args, "--no-color"], { env: { FORCE_COLOR: "1" } }),
    ]);
    expect(forced.stdout).toContain("\u001b[1mWhich team should handle this?\u001b[22m");
    expect(refused.stdout).not.toContain("\u001b");
  });
});
