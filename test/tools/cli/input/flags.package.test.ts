import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { decide } from "umpire";
import { umpire } from "../../../support/command-line.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { DESK, deskCsv } from "../desk-examples.ts";

/** The same flags mean the same in all commands. */

const folder = tempDir();
const at = (name: string): string => join(folder, name);
const URGENT = { type: "noul", instructions: "Is it urgent?" } as const;
const TEXT = "The cat is not well today.";
const [, ...EXAMPLES] = deskCsv().trimEnd().split("\n");

beforeAll(async () => {
  await writeFile(at("desk.json"), JSON.stringify(DESK));
  // The last one is no question: only those that are asked must be right.
  await writeFile(at("questions.json"), JSON.stringify({ urgent: URGENT, desk: DESK, wrong: { type: "noul" } }));
  await writeFile(at("options.json"), JSON.stringify(DESK.criteria));
  const rows = [...EXAMPLES.map((row, i) => `r-${i},${row}`), "none,,north", "other,Hello.,west", 'far,"The cow is not well today.",south'];
  await writeFile(at("rows.csv"), `id,body,team\n${rows.join("\n")}\n`);
});

const COLUMNS = ["--text-column", "body", "--label-column", "team"];
const OLD_COLUMNS = ["--state", "body", "--answer", "team"];
const NOTES = [
  "--state is now --text-column; the old name goes in the next version.",
  "--answer is now --label-column; the old name goes in the next version.",
];

/** Calls a command in the folder of the files. */
const call = (...args: string[]): ReturnType<typeof umpire> =>
  umpire(args.map((arg) => (/^[\w-]+\.(?:json|jsonl|csv)$/u.test(arg) ? at(arg) : arg)));

describe("an old name means what the new one means, with a line on standard error", () => {
  test.each<[command: string, args: string[], now: string[], old: string[], notes: string[]]>([
    ["run", ["desk.json", "rows.csv", "--out", "-", "--quiet"], ["--text-column", "body"], ["--state", "body"], NOTES.slice(0, 1)],
    ["eval", ["rows.csv", "desk.json"], COLUMNS, OLD_COLUMNS, NOTES],
    ["teach", ["desk.json", "rows.csv", "--out", "lesson.json"], COLUMNS, OLD_COLUMNS, NOTES],
    ["calibrate", ["desk.json", "rows.csv", "--out", "lesson.json"], COLUMNS, OLD_COLUMNS, NOTES],
    [
      "eval",
      ["rows.csv", ...COLUMNS],
      ["--options", "options.json"],
      ["--criteria", "options.json"],
      ["--criteria is now --options; the old name goes in the next version."],
    ],
    [
      "eval",
      ["rows.csv", ...COLUMNS],
      ["desk.json"],
      ["--question", "desk.json"],
      ["a question file now stands after the rows, and --question is an id in it; --question <file> goes in the next version."],
    ],
  ])("umpire %s %j %j", async (command, args, now, old, notes) => {
    const [expected, found] = [await call(command, ...args, ...now), await call(command, ...args, ...old)];
    expect(expected.stdout).not.toBe("");
    expect(expected.stderr).not.toContain("next version");
    expect([found.code, found.stdout]).toEqual([expected.code, expected.stdout]);
    expect(found.stderr.split("\n").slice(0, notes.length + 1)).toEqual([
      ...notes.map((note) => `umpire: ${note}`),
      expected.stderr.split("\n", 1).join(""),
    ]);
  });

  test.each([
    ["run", ["desk.json", "rows.csv", "--out", "-"], ["--state", "a", "--text-column", "a"]],
    ["eval", ["rows.csv"], ["--answer", "a", "--label-column", "a"]],
    ["eval", ["rows.csv"], ["--criteria", "a.json", "--options", "a.json"]],
    ["models", ["calibrate", "a", "rows.csv"], ["--text-column", "a", "--state", "a"]],
    ["calibrate", ["desk.json", "rows.csv", "--out", "a.json"], ["--state", "a", "--text-column", "a"]],
  ])("umpire %s %j refuses both: %j", async (command, args, both) => {
    const { code, stderr } = await call(command, ...args, ...both);
    expect(stderr).toMatch(/^umpire: option '--\w+ <\w+>' cannot be used with option '--[\w-]+ <\w+>'\n$/u);
    expect(code).toBe(2);
  });
});

describe("--id-column comes out with the row, and names it where it cannot be used", () => {
  test("in umpire run, whatever is copied, the text too", async () => {
    await writeFile(at("few.jsonl"), '{"key":12345678901234567890,"text":"a","more":1}\n{"key":"k\\n2","text":""}\n{"text":"b"}\n["c"]\n');
    const { code, stdout, stderr } = await call("run", "desk.json", "few.jsonl", "--out", "-", "--id-column", "key", "--copy", "more");
    expect(code).toBe(3);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^\{"key":12345678901234567890,"more":1,"answers"/u);
    expect(lines[1]).toBe('{"key":"k\\n2","error":{"code":"invalid_request","message":"line 2 (k 2): has no text in text.","line":2}}');
    expect(lines[2]).toMatch(/^\{"answers"/u);
    expect(lines[3]).toContain('"message":"line 4: must be an object');
    expect(stderr).toContain("The first: line 2 (k 2): has no text in text.");
    const own = await call("run", "desk.json", "few.jsonl", "--out", "-", "--id-column", "text", "--limit", "1");
    expect(own.stdout).toMatch(/^\{"key":12345678901234567890,"text":"a","more":1,"answers"/u);
  });

  test("in umpire eval", async () => {
    const { code, stdout, stderr } = await call("eval", "rows.csv", "desk.json", ...COLUMNS, "--id-column", "id", "--out", "answers.jsonl");
    expect(code).toBe(3);
    expect(stderr).toMatch(/: line 50 \(none\): has no text in body; line 51 \(other\): must have one of the question's 2 options/u);
    const { surestWrong } = JSON.parse(stdout) as { surestWrong: { line: number; id: string }[] };
    expect(surestWrong[0]?.id).toBe(`r-${(surestWrong[0]?.line ?? 0) - 2}`);
    expect(await readFile(at("answers.jsonl"), "utf8")).toMatch(/^\{"line":2,"id":"r-0","question":"answer"/u);
    const pretty = await call("eval", "rows.csv", "desk.json", ...COLUMNS, "--id-column", "id", "--pretty");
    expect(pretty.stdout).toMatch(/\n {2}line \d+ \(r-\d+\) +(?:north, not south|south, not north) +0\.\d+\n/u);
  });

  test("in umpire eval of requests, as they have it", async () => {
    const row = (id: unknown, answer: unknown): string => JSON.stringify({ id, state: TEXT, questions: { urgent: { ...URGENT, answer } } });
    await writeFile(at("requests.jsonl"), `${row(7, false)}\n${row("8", "maybe")}\n`);
    const { stderr } = await call("eval", "requests.jsonl", "--id-column", "id", "--out", "answers.jsonl");
    expect(stderr).toContain("line 2 (8): has a string of 5 characters as answer");
    expect(await readFile(at("answers.jsonl"), "utf8")).toMatch(/^\{"line":1,"id":7,/u);
  });

  test.each(["teach", "calibrate"])("in umpire %s", async (command) => {
    const { stdout, stderr } = await call(command, "desk.json", "rows.csv", ...COLUMNS, "--id-column", "id", "--out", "lesson.json");
    expect(stderr).toContain("line 50 (none): has no text in body; line 51 (other): must have one of the question's 2 options");
    const { suspicious } = JSON.parse(stdout) as { suspicious: { line: number; id: string }[] };
    if (command === "teach") expect(suspicious).toContainEqual(expect.objectContaining({ line: 52, id: "far" }));
  });

  test.each([
    ["run", ["desk.json", "rows.csv", "--out", "-", "--text-column", "body"]],
    ["eval", ["rows.csv", ...COLUMNS]],
    ["teach", ["desk.json", "rows.csv", "--out", "lesson.json", ...COLUMNS]],
  ])("and umpire %s refuses one that is not there", async (command, args) => {
    const { code, stdout, stderr } = await call(command, ...args, "--id-column", "key");
    expect(stderr).toContain("rows.csv has no column key: the columns are id, body, team. Name them with --id-column.");
    expect([code, stdout]).toEqual([2, ""]);
  });
});

describe("the same question is asked of one file, of one with several, and of flags", () => {
  const ASKED = [
    ["desk.json"],
    ["questions.json", "--question", "desk"],
    ["--choose", `${DESK.instructions} north, south`],
    ["--instructions", DESK.instructions, "--options", "north, south"],
    ["--instructions", DESK.instructions, "--options", "options.json"],
  ];

  /** The question's file stands before that of the rows; what flags ask, after it. */
  const withRows = ([first = "", ...more]: string[]): string[] => [
    ...(first.startsWith("--") ? ["rows.csv", first] : [first, "rows.csv"]),
    ...more,
  ];

  test.each<[command: string, argsOf: (asked: string[]) => string[]]>([
    ["decide", (asked) => [...asked, "--state", TEXT]],
    ["explain", (asked) => [...asked, "--state", TEXT]],
    ["check", (asked) => asked],
    ["run", (asked) => [...withRows(asked), "--text-column", "body", "--limit", "1", "--out", "-"]],
    ["teach", (asked) => [...withRows(asked), ...COLUMNS, "--out", "lesson.json"]],
    ["calibrate", (asked) => [...withRows(asked), ...COLUMNS, "--out", "lesson.json"]],
    ["eval", (asked) => ["rows.csv", ...asked, ...COLUMNS]],
  ])("by umpire %s", async (command, argsOf) => {
    const found: string[] = [];
    for (const asked of ASKED) {
      const { code, stdout, stderr } = await call(command, ...argsOf(asked));
      expect([0, 3, 5], stderr).toContain(code);
      // All but the id that a question has.
      const { questions, ...whole } = JSON.parse(stdout) as { questions?: object };
      const said: unknown = questions === undefined ? whole : Object.values(questions)[0];
      found.push(
        JSON.stringify(said).replaceAll(/"(?:choose|desk)":|"(?:answer|label)"(?=,"truth)/gu, (id) =>
          id.endsWith(":") ? '"answer":' : '"id"',
        ),
      );
    }
    expect(new Set(found).size).toBe(1);
  });
});

describe("--question", () => {
  test("may name several for a run, which are asked in its order, for a check and for decide", async () => {
    const named = ["--question", "desk", "--question", "urgent"];
    const out = await call("run", "questions.json", "rows.csv", ...named, "--text-column", "body", "--limit", "1", "--out", "-");
    const { answers } = JSON.parse(out.stdout) as { answers: object };
    expect(Object.keys(answers)).toEqual(["desk", "urgent"]);
    const checked = JSON.parse((await call("check", "questions.json", ...named)).stdout) as { questions: object };
    expect(Object.keys(checked.questions)).toEqual(["desk", "urgent"]);
    const decided = await call("decide", "--questions", "questions.json", ...named, "--state", TEXT);
    expect(JSON.parse(decided.stdout)).toMatchObject({
      answers: (await decide({ state: TEXT, questions: { desk: DESK, urgent: URGENT } })).answers,
    });
  });

  test("names the questions of a file that umpire eval compares", async () => {
    await writeFile(at("wordings.json"), JSON.stringify({ a: DESK, b: { ...DESK, instructions: "Who?" }, c: DESK }));
    const { stdout } = await call("eval", "rows.csv", "wordings.json", ...COLUMNS, "--question", "a", "--question", "b");
    expect((JSON.parse(stdout) as { wordings: { wording: string }[] }).wordings.map(({ wording }) => wording)).toEqual([
      `${at("wordings.json")}: ${DESK.instructions}`,
      `${at("wordings.json")}: Who?`,
    ]);
  });

  test("picks one of a request, whose text is not judged beside another one", async () => {
    await writeFile(at("request.json"), JSON.stringify({ state: TEXT, questions: { urgent: URGENT, desk: DESK } }));
    const { stdout } = await call("decide", "request.json", "-q", "urgent");
    expect(Object.keys((JSON.parse(stdout) as { answers: object }).answers)).toEqual(["urgent"]);
    expect((await call("decide", "request.json", "--state", "x")).stderr).toContain(
      "Give a request file or --state with questions, not both",
    );
    expect((await call("explain", "desk.json")).stderr).toContain("holds neither state nor questions. If it is a question, give the text");
    expect((await umpire(["explain", "--questions", at("desk.json")], { stdin: TEXT })).code).toBe(0);
  });
});
