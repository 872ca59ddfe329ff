import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../support/temp-dir.ts";
import { load } from "./modules.ts";

const { readQuestions } = await load("read-questions");
const { readNli } = await load("read-nli");

const folder = tempDir();

async function write(name: string, content: string | Uint8Array | readonly unknown[]): Promise<string> {
  const path = join(folder, name);
  const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  await writeFile(path, typeof content === "string" || content instanceof Uint8Array ? content : lines(content));
  return path;
}

describe("classification rows", () => {
  it("become a choice among all labels, with the descriptions from the file beside them", async () => {
    const rows = [
      { text: "It broke.", label: "fault" },
      { text: "Lovely.", label: "praise" },
    ];
    await write("mail.labels.json", JSON.stringify({ fault: "something does not work", order: "wants to buy" }));
    const { kind, name, instructions, cases } = await readQuestions(await write("mail.jsonl", rows), "What is it?");
    expect({ kind, name, instructions }).toEqual({ kind: "cls", name: "mail", instructions: "What is it?" });
    expect(cases[1]).toEqual({
      line: 2,
      state: "Lovely.",
      questions: {
        label: {
          type: "choice",
          instructions: "What is it?",
          criteria: { fault: "something does not work", order: "wants to buy", praise: null },
        },
      },
      truths: { label: "praise" },
    });
  });

  it("may be compressed, use any line ends, and have their own options", async () => {
    const text = '{"text":"a","label":"x","options":["z","x"]}\r\n\n{"text":"b","label":"y"}';
    const { cases } = await readQuestions(await write("own.jsonl.gz", gzipSync(text)));
    expect(cases.map(({ line }) => line)).toEqual([1, 3]);
    expect(cases.map(({ questions }) => Object.keys(questions["label"]?.["criteria"] ?? {}))).toEqual([
      ["z", "x"],
      ["x", "y"],
    ]);
  });

  it("without a question get the one for their name from the folder above, or a general one", async () => {
    await mkdir(join(folder, "eval"));
    await write("instructions.json", JSON.stringify({ eval: { topics: "Which topic?" } }));
    const rows = ["a", "b"].map((label) => ({ text: "t", label }));
    expect((await readQuestions(await write("eval/topics.jsonl", rows))).instructions).toBe("Which topic?");
    expect(await readQuestions(await write("eval/others.jsonl", rows))).toMatchObject({
      instructions: "Which of these fits best?",
      asksInGeneral: true,
    });
  });
});

it("decisions rows ask their own questions, without the answers", async () => {
  const questions = {
    team: { type: "choice", instructions: "Who?", criteria: { sales: null, support: "repairs" }, answer: "support" },
    angry: { type: "noul", instructions: "Angry?", answer: false },
    mood: { type: "score", instructions: "Mood?", criteria: ["low", "high"], answer: 1 },
  };
  const { kind, cases } = await readQuestions(await write("own-questions.jsonl", [{ domain: "mail", state: { text: "x" }, questions }]));
  expect(kind).toBe("decisions");
  expect(cases[0]?.truths).toEqual({ team: "support", angry: "no", mood: "1" });
  expect(cases[0]?.questions["team"]).toEqual({ type: "choice", instructions: "Who?", criteria: { sales: null, support: "repairs" } });
});

it("NLI rows have three labels or two", async () => {
  const three = await readNli(await write("three.tsv", "neutral\tA dog.\tA big dog.\n"));
  expect(three).toMatchObject({ labels: ["entailment", "neutral", "contradiction"], rows: [{ label: "neutral", premise: "A dog." }] });
  expect((await readNli(await write("two.tsv", "not_entailment\ta\tb\nentailment\ta\tb\n"))).labels).toEqual([
    "entailment",
    "not_entailment",
  ]);
  await expect(readNli(await write("mixed.tsv", "not_entailment\ta\tb\nneutral\tprivate\tb\n"))).rejects.toThrow(/line 2/);
});

describe("errors in a file name the line and the shape, never the text:", () => {
  const noul = (answer: unknown): unknown => ({ state: "private", questions: { q: { type: "noul", instructions: "private", answer } } });
  const row = { text: "private", label: "a" };
  it.each([
    ["invalid JSON", '{"text":"a","label":"b"}\n{"text": private', /line 2: must be one JSON object/],
    ["another kind of row", [{ words: "private" }], /has no column text and label: the columns are words\. Name them with/],
    ["a label that is not a string", [row, { text: "private", label: 3 }], /line 2: must have a string as label, but has a number/],
    ["a missing text later on", [row, { label: "private" }], /line 2: must have a string as text, but has nothing/],
    ["invalid options", [{ ...row, options: "private" }], /line 1: must have an array of strings as options, but has a string of 7/],
    ["an option twice", [{ ...row, options: ["a", "a"] }], /line 1: has the same option twice/],
    ["a label that is not an option", [{ ...row, options: ["private", "b"] }], /line 1: has a label that is not among its options/],
    ["a single label", [row], /: all labels are the same: give --options with at least 2 of them/],
    [
      "an answer of another type",
      [noul(true), noul("private")],
      /line 2: has a string of 7 characters as answer to question 1, which a noul/,
    ],
    [
      "a question that breaks the rules",
      [{ state: "private", questions: { q: { type: "other" } } }],
      /line 1: is not a valid request\. .*type/,
    ],
    ["no rows", "\n\n", /has no rows/],
  ])("%s", async (name, content, message) => {
    const file = await write(`wrong ${name}.jsonl`, content);
    const error = await readQuestions(file).then(
      () => undefined,
      (reason: unknown) => reason as Error,
    );
    expect(error?.name).toBe("ToolError");
    expect(error?.message).toMatch(message);
    expect(error?.message).toContain(file);
    expect(error?.message).not.toContain("private");
  });

  it("a missing file, a file of another type, and one that is not compressed", async () => {
    await expect(readQuestions(join(folder, "nowhere.jsonl"))).rejects.toThrow(/The file .*nowhere\.jsonl does not exist/);
    await expect(readQuestions(await write("table.csv", "a,b"))).rejects.toThrow(/must end in \.jsonl/);
    await expect(readQuestions(await write("plain.jsonl.gz", "{}"))).rejects.toThrow(/is not gzip data/);
    await expect(readQuestions(await write("own.jsonl", [noul(true)]), "Why?")).rejects.toThrow(/has its own questions/);
  });
});
