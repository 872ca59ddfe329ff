import { readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { parquetReadObjects, asyncBufferFromFile } from "hyparquet";
import { beforeEach, describe, expect, test } from "vitest";
import { decide } from "umpire";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { umpire } from "../../support/command-line.ts";
import { QUESTIONS, RunFolder } from "../run/run-folder.ts";

/** Files as people have them: a row that goes in comes out, or is named. */

const folder = new RunFolder();
beforeEach(async () => {
  for (const name of await readdir(folder.path)) if (name !== "questions.json") await rm(folder.at(name), { recursive: true });
});

const ANSWERS = /"answers":.*$/u;

/** Runs a file, and gives what is copied, or the error of each row. */
async function copiedOf(name: string, content: string | Uint8Array, ...flags: string[]): Promise<{ code: unknown; rows: string[] }> {
  await folder.write(name, content);
  const { code, stderr } = await folder.run(name, "answers.jsonl", flags);
  if (code !== 0 && code !== 3) throw new Error(stderr);
  const text = await folder.read("answers.jsonl");
  await rm(folder.at("answers.jsonl"));
  return {
    code,
    rows: text
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(ANSWERS, '"answers":0}').replace(/"error":\{.*"message":("[^"]*").*$/u, '"error":$1}')),
  };
}

async function evaluated(
  name: string,
  content: string | Uint8Array,
  ...flags: string[]
): Promise<{ code: unknown; report: unknown; stderr: string }> {
  await folder.write(name, content);
  const { code, stdout, stderr } = await umpire(["eval", folder.at(name), ...flags]);
  return { code, stderr: stderr.replaceAll(folder.at(name), name), report: stdout === "" ? undefined : JSON.parse(stdout) };
}

describe("umpire run", () => {
  test("copies values with their digits and in their order, and the model reads these digits", async () => {
    const row = '{"9":9007199254740993,"1":1e400, "price": 1.10,"more":{"b": [1.0], "2":0, "1":0},"text":"It is late."}';
    const { rows } = await copiedOf("rows.jsonl", row);
    expect(rows).toEqual(['{"9":9007199254740993,"1":1e400,"price":1.10,"more":{"b": [1.0], "2":0, "1":0},"answers":0}']);
    expect((await copiedOf("rows.csv", "2024,text,1999\n1.0,It is late.,007\n")).rows).toEqual(['{"2024":"1.0","1999":"007","answers":0}']);

    await folder.write(
      "rows.jsonl",
      '{"state":{"order":9007199254740993,"price":1.10}}\n{"state":[12345678901234567890]}\n{"state":1.50}\n',
    );
    await folder.run("rows.jsonl", "answers.jsonl");
    const states = ["order: 9007199254740993\nprice: 1.10", "- 12345678901234567890", "1.50"];
    const expected = states.map(async (state) => ({ answers: (await decide({ state, questions: QUESTIONS })).answers }));
    const lines = (await folder.read("answers.jsonl")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(await Promise.all(expected));
  });

  test("writes such values to tables, too, and the columns that come later", async () => {
    const rows = [
      '{"id":9007199254740993,"n":1,"text":"It is late."}',
      '{"id":2,"n":0.5,"m":1e400,"text":"Fine."}',
      '{"id":3,"text":"x","m":true,"k":[1.0]}',
    ];
    await folder.write("rows.jsonl", rows.join("\n"));
    expect((await folder.run("rows.jsonl", "answers.csv")).code).toBe(0);
    const lines = (await folder.read("answers.csv")).split("\n");
    expect(lines[0]).toBe("id,n,m,k,late,late_probability,late_accuracy,warnings,error");
    expect(lines.slice(1, 4).map((line) => line.split(",").slice(0, 4).join())).toEqual([
      "9007199254740993,1,,",
      "2,0.5,1e400,",
      "3,,true,[1.0]",
    ]);
    expect((await folder.run("rows.jsonl", "answers.parquet")).code).toBe(0);
    const table = await parquetReadObjects({ file: await asyncBufferFromFile(folder.at("answers.parquet")) });
    expect(table.map(({ id, n, m, k }): unknown[] => [id, n, m, k])).toEqual([
      [9007199254740993n, 1, null, null],
      [2n, 0.5, "1e400", null],
      [3n, null, "true", "[1.0]"],
    ]);
  });

  test("copies the values of Parquet", async () => {
    const content = readFileSync(new URL("test/fixtures/rows/values.parquet", PACKAGE_ROOT));
    expect((await copiedOf("rows.parquet", content)).rows[0]).toBe(
      '{"price":-99999999999999999999.99,"ts_us":"2023-11-14T22:13:20.123456Z","time":"12:34:56.000789","hash":"/wAB","answers":0}',
    );
  });

  test("never mixes a row's own fields with those of the answers", async () => {
    const rows = [
      '{"id":1,"text":"It is late."}',
      '{"id":2,"error":{"code":"E"},"answers":["old"],"text":"x"}',
      '{"id":3,"error":"E","text":""}',
    ];
    const wrong = (line: number): string => `"error":"line ${line}: has error, as the answers have: name the columns to copy with --copy."`;
    expect(await copiedOf("rows.jsonl", rows.join("\n"))).toEqual({
      code: 3,
      rows: ['{"id":1,"answers":0}', `{"id":2,${wrong(2)}}`, `{"id":3,${wrong(3)}}`],
    });
    expect((await copiedOf("rows.jsonl", rows.join("\n"), "--copy", "id")).rows.slice(0, 2)).toEqual([
      '{"id":1,"answers":0}',
      '{"id":2,"answers":0}',
    ]);
    await folder.write("rows.jsonl", '{"text":"a"}\n{"text":"b","late_probability":1}\n');
    expect((await folder.run("rows.jsonl", "answers.csv")).code).toBe(3);
    expect(await folder.read("answers.csv")).toContain("line 2: has late_probability, as the answers have");
  });

  test("looks for its columns in more rows than the first, and asks which is meant of two", async () => {
    expect(await copiedOf("rows.jsonl", '{"id":1}\n{"id":2,"body":"It is late.","tier":1}', "--copy", "tier,id")).toEqual({
      code: 3,
      rows: ['{"id":1,"error":"line 1: has no body."}', '{"tier":1,"id":2,"answers":0}'],
    });
    await folder.write("rows.csv", "id,state,text\n1,CA,It is late.\n");
    expect(await folder.run("rows.csv", "answers.jsonl")).toMatchObject({
      code: 2,
      stderr: `umpire: ${folder.at("rows.csv")} has the columns state and text: either may be the text. Name it with --text-column.\n`,
    });
    expect((await folder.run("rows.csv", "answers.jsonl", ["--text-column", "text"])).code).toBe(0);
  });

  test("reports rows that seem to be swallowed by quotes, unless it is told what quotes are", async () => {
    const rows = 'id\ttext\n1\t"It is late.\n2\tIt is not."\n3\tHello.\n';
    const { code, rows: read } = await copiedOf("rows.tsv", rows);
    expect([code, read.length, read[0]]).toMatchObject([3, 2, expect.stringContaining("line 2: has a quoted field with tabs")]);
    expect((await copiedOf("rows.tsv", rows, "--quotes", "off")).rows).toEqual(["1", "2", "3"].map((id) => `{"id":"${id}","answers":0}`));
    expect((await copiedOf("rows.tsv", rows, "--quotes", "on")).rows).toEqual(["1", "3"].map((id) => `{"id":"${id}","answers":0}`));
    expect((await copiedOf("rows.csv", "id:text\n1:a, b; c\n", "--delimiter", ":")).rows).toEqual(['{"id":"1","answers":0}']);
    expect((await folder.run("rows.csv", "x.jsonl", ["--delimiter", "::"])).stderr).toContain(
      "It must be one character, such as ; or |, or the word tab.",
    );
  });

  test("takes endings in any case", async () => {
    await folder.write("rows.NDJSON", '{"text":"It is late."}\n\u0000\u0000\n');
    expect((await folder.run("rows.NDJSON", "answers.CSV")).code).toBe(3);
    expect(await folder.read("answers.CSV")).toMatch(/^late,.*\n(?:true|false),.*\n,,,,"invalid_request: line 2: must be one JSON object/u);
    expect((await folder.run("rows.NDJSON", "answers.ndjson")).code).toBe(3);
    expect(await folder.read("answers.ndjson")).toMatch(/^\{"answers":/u);
  });
});

describe("the encoding of questions, requests and states is that of rows", () => {
  const question = JSON.stringify({ grün: { type: "noul", instructions: "Ist es grün?" } });
  const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
  const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, "utf16le");
  const wrong = (name: string): string => `${folder.at(name)}, line 1: is not UTF-8 text, but perhaps Windows-1252 or Latin-1.`;

  test("UTF-16 is read, and Latin-1 refused, by the name of the file", async () => {
    const request = JSON.stringify({ state: "Es ist grün.", questions: JSON.parse(question) as object });
    const files: readonly (readonly [name: string, text: string, args: readonly string[]])[] = [
      [
        "q.json",
        question,
        ["run", folder.at("q.json"), folder.at("rows.jsonl"), "--workers", "1", "--threads", "1", "--restart", "--out", "-"],
      ],
      ["request.json", request, ["decide", folder.at("request.json")]],
      ["state.txt", "Es ist grün.", ["decide", "--state", `@${folder.at("state.txt")}`, "--ask", "Ist es grün?"]],
      ["criteria.json", '{"grün":null,"rot":null}', ["eval", folder.at("rows.csv"), "--options", folder.at("criteria.json")]],
    ];
    await folder.write("rows.jsonl", '{"text":"Es ist grün."}\n');
    await folder.write("rows.csv", "text,label\nEs ist grün.,grün\n");
    for (const [name, text, args] of files) {
      const results: unknown[] = [];
      for (const content of [text, `\ufeff${text}`, utf16(text)]) {
        await folder.write(name, content);
        const { code, stdout } = await umpire(args);
        expect([name, code]).toEqual([name, 0]);
        results.push(stdout);
      }
      expect(new Set(results).size).toBe(1);
      await folder.write(name, latin1(text));
      const { code, stdout, stderr } = await umpire(args);
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(wrong(name))]);
    }
  });
});

describe("a request", () => {
  test("is read with the digits that it has", async () => {
    const questions = { a: { type: "noul", instructions: "Is it about billing?" } };
    const stdin = `{"state":{"order":9007199254740993,"price":1.10,"text":"Twice."},"questions":${JSON.stringify(questions)}}`;
    const { stdout } = await umpire(["explain", "--json"], { stdin });
    expect((JSON.parse(stdout) as { text: string }).text).toBe("order: 9007199254740993\nprice: 1.10\ntext: Twice.");
  });
});

describe("umpire eval", () => {
  test("leaves out rows that cannot be used, counts them, and names their lines", async () => {
    const content =
      "text,label\nI was charged twice.,billing\nThe app crashes.,technical\n,technical\n   ,billing\nHello.,\nx,y,z\nBye., \n\n";
    const { code, report, stderr } = await evaluated("rows.csv", content);
    expect([code, report]).toMatchObject([3, { rows: 2, leftOut: 5 }]);
    expect(stderr).toBe(
      "umpire: 5 rows are left out of rows.csv: line 4: has no text in text; line 5: has no text in text; " +
        "line 6: has no label in label; line 7: has 3 columns, but the first line names 2; line 8: has no label in label.\n",
    );
  });

  test("names some of many", async () => {
    const { code, stderr } = await evaluated(
      "rows.jsonl",
      `{"text":"a","label":"x"}\n{"text":"b","label":"y"}\n${'{"label":"x"}\n'.repeat(9)}`,
    );
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/9 rows are left out of rows\.jsonl: line 3: has no text; .*line 7: has no text; and 4 more\.$/mu),
    ]);
  });

  test("does so with a question of its own, and with requests", async () => {
    await folder.write("q.json", '{"type":"choice","instructions":"Which?","criteria":{"north":null,"south":null}}');
    const rows = "text,answer\nA cow.,North\nA pump.,south\nx,\ny,west\n,north\n";
    const { code, report, stderr } = await evaluated("rows.csv", rows, folder.at("q.json"));
    expect([code, report]).toMatchObject([3, { rows: 2, leftOut: 3 }]);
    expect(stderr).toContain('are taken for one: "North" for "north". To keep them apart, name both as options.');
    expect(stderr).toContain("line 4: has no answer; line 5: must have one of the question's 2 options");
    const request = (state: string, answer: unknown): string =>
      `${JSON.stringify({ state, questions: { a: { type: "noul", instructions: "Is it late?", answer } } })}\n`;
    expect(await evaluated("own.jsonl", `${request("It is late.", true)}${request(" ", true)}${request("x", "maybe")}`)).toMatchObject({
      code: 3,
      report: { rows: 1, leftOut: 2 },
    });
  });

  test("takes labels for one that differ by case, blanks or Unicode form only, and shows them", async () => {
    const rows = ["billing", "billing ", " Billing", "billing", "café", "cafe\u0301", "CAFÉ\u00a0", "café"];
    const { code, report, stderr } = await evaluated("rows.csv", `text,label\n${rows.map((label, i) => `Text ${i}.,${label}\n`).join("")}`);
    expect([code, report]).toMatchObject([0, { rows: 8, leftOut: 0, all: { chance: 0.5 } }]);
    expect(stderr).toContain('"billing␣", "␣Billing" for "billing". To keep them apart, name both as options.');
    expect(stderr).toContain('"cafe<U+0301>", "CAFÉ<U+00A0>" for "café"');
    await folder.write("criteria.json", '{"us":null,"US":null}');
    const apart = await evaluated("us.csv", "text,label\na,us\nb,US\nc,Us\n", "--options", folder.at("criteria.json"));
    expect(apart).toMatchObject({ code: 3, report: { rows: 2, leftOut: 1 } });
    expect(apart.stderr).toContain("line 4: has a label that is not among the options");
  });
});

test("umpire teach leaves out rows that cannot be used, the long ones as well", async () => {
  const north = ["cat", "dog", "horse", "cow", "goat", "sheep", "duck", "rabbit", "hen", "pony"];
  const south = ["printer", "router", "engine", "pump", "drill", "laptop", "heater", "scanner", "fridge", "lamp"];
  const rows = [
    ...north.map((one) => `The ${one} is not well.,north`),
    ...south.map((one) => `The ${one} is not well.,SOUTH`),
    ",north",
    "  ,south",
    `${"word ".repeat(20_000)},north`,
    "a,b,c",
  ];
  await folder.write("rows.csv", `text,label\n${rows.join("\n")}\n`);
  await folder.write("q.json", '{"type":"choice","instructions":"Which desk?","criteria":{"north":null,"south":null}}');
  const { code, stdout, stderr } = await umpire(["teach", folder.at("q.json"), folder.at("rows.csv"), "--out", folder.at("lesson.json")]);
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { leftOut: 4, examples: { answered: 20, byAnswer: { north: 10, south: 10 } } }]);
  expect(stderr).toContain('are taken for one: "SOUTH" for "south".');
  expect(stderr).toMatch(
    /4 rows are left out of .*rows\.csv: line 22: has no text in text; line 23: has no text in text; line 24: .*16384.*; line 25: has 3 columns/u,
  );
});
