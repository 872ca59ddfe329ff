import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { decide } from "umpire";
import type { Questions } from "umpire";
import { cleanEnv, CLI, finished, umpire, umpireProcess } from "../../support/command-line.ts";
import { jsonl, QUESTIONS, RunFolder, texts } from "../run/run-folder.ts";

const folder = new RunFolder();
/** Every test may use the same names. */
beforeEach(async () => {
  for (const name of await readdir(folder.path)) if (name !== "questions.json") await rm(folder.at(name), { recursive: true });
});

interface Line {
  readonly [column: string]: unknown;
  readonly error?: { code: string; message: string; line: number };
}
const linesOf = async (name: string): Promise<Line[]> =>
  (await folder.read(name))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

test("every row is copied and has the answers that decide() gives", async () => {
  await folder.write("rows.jsonl", jsonl(5));
  const { code, stdout, stderr } = await folder.run("rows.jsonl", "answers.jsonl", ["--workers", "2"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const expected = texts(5).map(async (state, id) => ({ id, answers: (await decide({ state, questions: QUESTIONS })).answers }));
  expect(await linesOf("answers.jsonl")).toEqual(await Promise.all(expected));
  expect(JSON.parse(stdout)).toMatchObject({ rows: 5, failed: 0, outputTokens: 5, answeredNow: 5, model: "umpire-2", failures: [] });
  expect(await readdir(folder.path)).toEqual(["answers.jsonl", "questions.json", "rows.jsonl"]);
});

test("CSV has a column for each part of an answer", async () => {
  const questions = {
    team: { type: "choice", instructions: "Which team?", criteria: { "a, b": null, other: null } },
    late: { type: "noul", instructions: "Is it late?" },
    anger: { type: "score", instructions: "How angry?", criteria: ["calm", "angry"] },
  } satisfies Questions;
  await folder.write("questions-3.json", JSON.stringify({ state: "ignored", questions }));
  await folder.write("rows.tsv", 'id\tnote\ttext\n1\t"two\nlines, ""quoted"""\tIt is late.\n2\t\t???????\n3\tx\t\n');
  const args = ["run", folder.at("questions-3.json"), folder.at("rows.tsv"), "--out", folder.at("answers.csv"), "--max-error-rate", "0.2"];
  expect((await umpire(args)).code).toBe(3);
  const text = await folder.read("answers.csv");
  const [header = "", , second = "", third, fourth] = text.split("\n");
  const parts = (id: string, ...names: string[]): string => [id, ...names, `${id}_probability`, `${id}_accuracy`, `${id}_act`].join();
  expect(header).toBe(`id,note,${parts("team")},${parts("late")},${parts("anger", "anger_level")},warnings,error`);
  expect(text).toMatch(/\n1,"two\nlines, ""quoted""",(?:"a, b"|other),0\.\d+,0\.\d+,(?:true|false),(?:true|false),0\./u);
  const { score, probabilities } = (await decide({ state: "It is late.", questions })).answers.anger;
  expect(second).toContain(
    `,${score},${(probabilities[1] ?? 0) > (probabilities[0] ?? 0) ? "angry" : "calm"},${Math.max(...Object.values(probabilities))},`,
  );
  expect(second).toContain('""quoted""');
  expect(third).toMatch(/^2,,/u);
  expect(fourth).toBe(`3,x,${",".repeat(13)},invalid_request: line 5: has no text in text.`);
});

test("a template makes a text of columns, and --copy says what is copied", async () => {
  await folder.write(
    "rows.jsonl",
    '{"id": 1, "subject": "Late", "body": "It is {late}.", "n": 3}\n{"id": 2, "subject": null, "body": " "}\n',
  );
  const { code } = await folder.run("rows.jsonl", "answers.jsonl", ["--text-column", "{subject}\\n{body} {n}", "--copy", "id,n"]);
  expect(code).toBe(3);
  const { answers } = await decide({ state: "Late\nIt is {late}. 3", questions: QUESTIONS });
  const message = "line 2: has no text in subject, body, n.";
  expect(await linesOf("answers.jsonl")).toEqual([
    { id: 1, n: 3, answers },
    { id: 2, error: { code: "invalid_request", message, line: 2 } },
  ]);
});

test("rows come from gzip and from standard input, and go to standard output", async () => {
  await folder.write("rows.jsonl.gz", gzipSync(jsonl(3)));
  const fromGzip = await folder.run("rows.jsonl.gz", "-");
  const fromPipe = await folder.run("-", "-", [], {
    stdin:
      "\ufeffid,text\r\n" +
      texts(3)
        .map((text, id) => `${id},"${text}"`)
        .join("\r\n"),
  });
  expect([fromGzip.code, fromPipe.code]).toEqual([0, 0]);
  expect(fromPipe.stdout).toBe(fromGzip.stdout.replaceAll(/"id":(\d)/gu, '"id":"$1"'));
  expect(fromPipe.stderr).toContain("-: 3 rows of standard input, umpire-2 (int8, cpu)");
});

test("where standard output has the rows, standard error has the summary: as JSON with --json", async () => {
  await folder.write("rows.jsonl", `${jsonl(2)}{"id": 2}\n`);
  const { code, stdout, stderr } = await folder.run("rows.jsonl", "-", ["--json", "--quiet"]);
  expect(code).toBe(3);
  expect(stdout.trimEnd().split("\n")).toHaveLength(3);
  expect(stdout).not.toContain("inputTokens");
  expect(JSON.parse(stderr)).toMatchObject({ out: "-", rows: 3, failed: 1, failures: [{ code: "invalid_request", count: 1 }] });
});

test("--limit and --sample take the same rows each time", async () => {
  await folder.write("rows.jsonl", jsonl(100));
  const idsOf = async (name: string, ...flags: string[]): Promise<unknown[]> => {
    expect((await folder.run("rows.jsonl", name, flags)).code).toBe(0);
    return (await linesOf(name)).map(({ id }) => id);
  };
  expect(await idsOf("first.jsonl", "--limit", "3")).toEqual([0, 1, 2]);
  const sample = await idsOf("sample.jsonl", "--sample", "0.1");
  expect(sample.length).toBeGreaterThan(3);
  expect(sample.length).toBeLessThan(20);
  expect(await idsOf("both.jsonl", "--sample", "0.1", "--limit", "3")).toEqual(sample.slice(0, 3));
  expect(await idsOf("other.jsonl", "--sample", "0.1", "--seed", "8")).not.toEqual(sample);
});

test("--dry-run writes nothing, and says how long all rows take", async () => {
  await folder.write("rows.jsonl", jsonl(230));
  const { code, stdout } = await umpire(["run", folder.at("questions.json"), folder.at("rows.jsonl"), "--dry-run"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 100, failed: 0, all: { rows: 230, isExact: true } });
  const inWords = await umpire(["run", folder.at("questions.json"), "-", "--dry-run", "--pretty"], { stdin: jsonl(10) });
  expect(inWords.stdout).toMatch(/^10 rows in .+ a second\.\nA million rows take /u);
  expect(await readdir(folder.path)).toEqual(["questions.json", "rows.jsonl"]);
});

describe("how far it is", () => {
  /** A clock that goes a thousand times as fast, so that nobody waits for 30 seconds. */
  const FAST = "const now = performance.now.bind(performance); performance.now = () => 1000 * now();";
  beforeEach(() => folder.write("rows.jsonl", jsonl(60)));

  test("is a line in a terminal, and then a summary says what the answers are", async () => {
    const { code, stdout, stderr } = await folder.run("rows.jsonl", "answers.csv", [], { terminal: 120 });
    expect(code).toBe(0);
    expect(stripVTControlCharacters(stderr)).toMatch(
      /\d% · \d+ rows · [\d.]+ rows\/s · \d+ s left · (?:yes|no) \S+%.* · to a person \S+%/u,
    );
    expect(stdout).toMatch(/answers\.csv: 60 rows of .*rows\.jsonl, umpire-2 \(int8, cpu\)/u);
    expect(stdout).toMatch(/Tokens: [\d,]+ in, 60 out\./u);
  });

  test("is a line every 30 seconds where no terminal is", async () => {
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(FAST)}` };
    const { code, stderr } = await umpireProcess(folder.args("rows.jsonl", "answers.csv", "--workers", "1"), { env });
    expect(code).toBe(0);
    const lines = stderr.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(2);
    const LINE = /^\d+% · \d+ rows? · [\d.]+ rows\/s · [\d.]+ (?:s|min|h) left · (?:yes|no) \S+%.* · to a person \S+%$/u;
    for (const line of lines) expect(line).toMatch(LINE);
  });

  test("is not said with --quiet", async () => {
    const { code, stdout, stderr } = await folder.run("rows.jsonl", "answers.csv", ["--quiet"], { terminal: 120 });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("answers.csv: 60 rows of ");
  });
});

describe("rows that cannot be answered", () => {
  const LONG = "word ".repeat(2_000_000);
  const ROWS = [
    "no JSON",
    '{"id": 1}',
    '{"id": 2, "text": ""}',
    '{"id": 3, "text": 4, "more": [1]}',
    '["x"]',
    JSON.stringify({ id: 5, text: LONG }),
  ];
  const PLACES = [
    ["invalid_request", "line 2: must be one JSON object, but is not valid JSON (7 characters)."],
    ["invalid_request", "line 3: has no text."],
    ["invalid_request", "line 4: has no text in text."],
    ["invalid_request", "line 6: must be an object with columns, but is an array of 1."],
    ["input_too_long", expect.stringMatching(/^line 7: /u)],
  ] as const;

  beforeEach(() => folder.write("rows.jsonl", `{"id": 0, "text": "It is late."}\n${ROWS.join("\n")}`));

  test("say why, with their line", async () => {
    const { code, stdout, stderr } = await folder.run("rows.jsonl", "answers.jsonl");
    expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
    const lines = await linesOf("answers.jsonl");
    expect(lines.map(({ id }) => id)).toEqual([0, undefined, 1, 2, 3, undefined, 5]);
    expect(lines.filter(({ error }) => error).map(({ error }) => [error?.code, error?.message])).toEqual(PLACES);
    expect(lines.map(({ error }) => error?.line)).toEqual([undefined, 2, 3, 4, undefined, 6, 7]);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 7,
      failed: 5,
      failures: [
        { code: "invalid_request", count: 4 },
        { code: "input_too_long", count: 1 },
      ],
    });
  });

  test("are left out with --on-error skip", async () => {
    expect((await folder.run("rows.jsonl", "answers.jsonl", ["--on-error", "skip"])).code).toBe(3);
    expect((await linesOf("answers.jsonl")).map(({ id }) => id)).toEqual([0, 3]);
  });

  test("end the run with --on-error stop", async () => {
    const { code, stderr } = await folder.run("rows.jsonl", "answers.jsonl", ["--on-error", "stop"]);
    expect(code).toBe(2);
    expect(stderr).toBe(`umpire: ${folder.at("rows.jsonl")}, ${PLACES[0][1]}\n`);
  });
});

test.each<[what: string, content: string | Uint8Array, words: string]>([
  [
    "a quote without an end",
    'text\nfine\n"not\nclosed\n',
    "rows.csv, line 3, column 1: a quote is not closed; if this file's quotes are text, give --quotes off.",
  ],
  [
    "another encoding",
    Buffer.from(`text\n${"fine\n".repeat(20_000)}Erklärung\nfine\n`, "latin1"),
    "rows.csv, line 20002: is not UTF-8 text, but perhaps Windows-1252 or Latin-1. Convert the file to UTF-8 first.",
  ],
])("rows that end with %s are bad input", async (_, content, words) => {
  await folder.write("rows.csv", content);
  const { code, stderr, stdout } = await folder.run("rows.csv", "answers.jsonl", ["--limit", "3"]);
  expect(stderr).toContain(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  await expect(folder.read("answers.jsonl")).rejects.toThrow("ENOENT");
});

describe("what would overwrite something is refused", () => {
  test("a column that is called as an answer, in a table, or as all of them", async () => {
    await folder.write("rows.csv", "text,late\nx,y\n");
    const { code, stderr } = await folder.run("rows.csv", "answers.csv");
    const words = "The answers would have two columns late. Name the columns to copy with --copy, or give the question another id.";
    expect({ code, stderr }).toEqual({ code: 2, stderr: `umpire: ${words}\n` });
    expect((await folder.run("rows.csv", "answers.jsonl")).code).toBe(0);
    await folder.write("rows.jsonl", '{"text": "x", "answers": 1}');
    expect((await folder.run("rows.jsonl", "all.jsonl")).stderr).toContain("umpire: The answers would have two columns answers.");
  });

  test("an output that exists", async () => {
    await folder.write("rows.jsonl", jsonl(2));
    await folder.write("answers.jsonl", "mine");
    const { code, stderr } = await folder.run("rows.jsonl", "answers.jsonl", ["--restart"]);
    const words = `${folder.at("answers.jsonl")} exists, and is never overwritten. Name another file with --out, or delete it.`;
    expect({ code, stderr }).toEqual({ code: 2, stderr: `umpire: ${words}\n` });
    expect(await folder.read("answers.jsonl")).toBe("mine");
    expect((await readdir(folder.path)).filter((name) => name.startsWith("answers"))).toEqual(["answers.jsonl"]);
  });

  test("a folder where this user may not write", async () => {
    await folder.write("rows.jsonl", jsonl(2));
    await mkdir(folder.at("closed"));
    await chmod(folder.at("closed"), 0o555);
    await chmod(folder.path, 0o755);
    // To the system's own user nothing is closed.
    const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const args = [CLI, ...folder.args("rows.jsonl", "closed/answers.jsonl")];
    const { code, stderr } = await finished(spawn(process.execPath, args, { env: cleanEnv(), ...asNobody }));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `umpire: ${folder.at("closed/answers.jsonl")} cannot be written: this user may not write there.\n`,
    });
  });
});
