import { describe, expect, test } from "vitest";
import { jsonl, RunFolder } from "../run/run-folder.ts";
import { umpire } from "../../support/command-line.ts";

const folder = new RunFolder();

describe("bad input is told in words, and nothing is written", () => {
  const CASES: readonly (readonly [string, string, string | Uint8Array, readonly string[], string])[] = [
    [
      "a column that is not there",
      "rows.csv",
      "id,words\n1,x\n",
      [],
      "rows.csv has no column text: the columns are id, words. Name them with --text-column.",
    ],
    ["a column of a template", "rows.csv", "id,body\n1,x\n", ["--text-column", "{subject} {body}"], "rows.csv has no column subject: the"],
    [
      "a column to copy",
      "rows.csv",
      "id,text\n1,x\n",
      ["--copy", "name"],
      "rows.csv has no column name: the columns are id, text. Name them with --copy.",
    ],
    ["two columns alike", "rows.csv", "text,id,text\n1,x,y\n", [], "rows.csv, line 1: has the same column name twice, in columns 1 and 3."],
    ["no rows", "rows.csv", "text\n", [], "rows.csv has no rows under its line of column names."],
    ["no row that can be read", "rows.jsonl", "x\ny\n", [], "rows.jsonl has no row that can be read."],
    [
      "a file of another kind",
      "rows.txt",
      "x",
      [],
      "rows.txt must end in .parquet, .jsonl, .ndjson, .json, .csv or .tsv, or in one of these and .gz.",
    ],
  ];
  test.each(CASES)("%s", async (_, name, content, flags, words) => {
    await folder.write(name, content);
    const { code, stderr, stdout } = await folder.run(name, "answers.jsonl", flags);
    expect(stderr).toContain(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    await expect(folder.read("answers.jsonl")).rejects.toThrow("ENOENT");
  });

  test("a folder that is a file", async () => {
    await folder.write("rows.jsonl", jsonl(2));
    expect(await folder.run("rows.jsonl", "rows.jsonl/answers.jsonl")).toMatchObject({
      code: 2,
      stderr: `umpire: ${folder.at("rows.jsonl/answers.jsonl")} cannot be written: ${folder.at("rows.jsonl")} is a file, and no folder.\n`,
    });
  });

  test("files that are not there", async () => {
    expect(await folder.run("no.jsonl", "answers.jsonl")).toMatchObject({
      code: 2,
      stderr: `umpire: ${folder.at("no.jsonl")} cannot be read: there is no such file.\n`,
    });
    const { code, stderr } = await umpire(["run", folder.at("no.json"), folder.at("x.jsonl"), "--out", "x.jsonl"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `umpire: ${folder.at("no.json")} cannot be read: there is no such file.\n` });
  });

  test("questions in standard input", async () => {
    const { code, stderr } = await umpire(["run", "-", folder.at("x.jsonl"), "--out", "x.jsonl"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "umpire: The questions must be in a file: standard input is for the rows.\n" });
  });

  test("questions that are not valid", async () => {
    await folder.write("bad.json", '{"late": {"type": "nul", "instructions": "Is it late?"}}');
    const { code, stderr } = await umpire(["run", folder.at("bad.json"), folder.at("x.jsonl"), "--out", "x.jsonl"]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${folder.at("bad.json")} is not valid:\n  questions.late.type: `);
  });

  test.each([
    [["--shard", "8/7"], "It must be two numbers such as 2/7: the second of seven parts."],
    [["--shard", "0/7"], "It must be two numbers such as 2/7: the second of seven parts."],
    [["--queue", "redis://127.0.0.1:1", "--shard", "1/2"], "option '--queue <url>' cannot be used with option '--shard <i/n>'"],
    [["--chunk", "1", "--block", "2"], "option '--chunk <number>' cannot be used with option '--block"],
    [["--sample", "2"], "It must be a number above 0 and below 1"],
    [["--on-error", "ignore"], "Allowed choices are stop, skip, report."],
    [["--force"], "unknown option '--force' (did you mean --restart?)"],
    [["--shard", "1/2", "--merge", "x"], "cannot be used with"],
  ])("%s", async (flags, words) => {
    await folder.write("rows.jsonl", jsonl(2));
    const { code, stderr } = await folder.run("rows.jsonl", "answers.jsonl", flags);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });

  test("a shard that is not JSON lines, an output of another kind, and none", async () => {
    await folder.write("rows.jsonl", jsonl(2));
    expect((await folder.run("rows.jsonl", "answers.csv", ["--shard", "1/2"])).stderr).toContain("A shard's answers are lines of JSON");
    expect((await folder.run("rows.jsonl", "answers.xlsx")).stderr).toContain("answers.xlsx must end in .jsonl, .csv or .parquet");
    const none = await umpire(["run", folder.at("questions.json"), folder.at("rows.jsonl")]);
    expect(none).toMatchObject({
      code: 2,
      stderr: "umpire: Say where the answers go: --out answers.jsonl, .csv or .parquet, or --out - for standard output.\n",
    });
  });

  test("of a queue: answers that are not in a file, and rows that are not", async () => {
    await folder.write("rows.jsonl", jsonl(2));
    const queue = ["--queue", "redis://127.0.0.1:1"];
    expect(await folder.run("rows.jsonl", "-", queue)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("umpire: --queue needs a file for the answers, in a folder that all workers share") as string,
    });
    expect(await folder.run("-", "x.jsonl", queue)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("umpire: --queue needs rows in a file, in a folder that all workers share") as string,
    });
  });
});
