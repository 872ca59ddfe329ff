import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { createDecider } from "umpire";
import type { Answer, Question } from "umpire";
import { describe, expect, it } from "vitest";
import { runScript } from "../support/child-program.ts";
import type { ProgramResult } from "../support/child-program.ts";
import { tempDir } from "../support/temp-dir.ts";
import type { Figures } from "./accuracy/modules.ts";

type SetFigures = Figures & { readonly kind: string; readonly name: string; readonly type?: string };

interface Report {
  readonly summary: Readonly<Record<string, unknown>>;
  readonly longStates?: { readonly questions: number; readonly alone: number; readonly byWindow: readonly number[] };
  readonly sets: readonly SetFigures[];
}

interface Written {
  readonly date: string;
  readonly command: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, number>>;
  readonly recorded?: unknown;
  readonly chance: Report;
  readonly models: readonly (Report & {
    readonly model: { readonly id: string; readonly releaseDate: string; readonly precision: string };
  })[];
}

const ROWS = [
  ["The parcel came late and the box was open.", "delivery"],
  ["I was charged twice this month.", "billing"],
  ["Please tell me how to reset my password.", "account"],
  ["Your driver threw it over the fence.", "delivery"],
  ["The invoice has the wrong address.", "billing"],
  ["Nobody answers my mails, and I am furious.", "account"],
].map(([text, label]) => ({ text: text ?? "", label: label ?? "" }));

const DECISIONS = [
  ["The shop opens at nine. Lena came at eight.", "Was it open when Lena came?", false],
  ["Omar paid the whole bill on Friday.", "Has Omar paid?", true],
].map(([state, instructions, answer]) => ({
  state: String(state),
  questions: {
    q: { type: "noul", instructions, answer },
    mood: { type: "score", instructions: "How pleased is the writer?", criteria: ["not at all", "fairly", "very"], answer: 1 },
  },
}));

const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

const folder = tempDir();

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

const measure = (...args: string[]): Promise<ProgramResult> =>
  runScript("bench/accuracy.mjs", { args: [...args, "--out", join(folder, "out")] });

const read = async (name: string): Promise<string> => readFile(join(folder, "out", name), "utf8");

/** The most likely option and its probability. */
function given(answer: Answer): [said: string, probability: number] {
  const odds = answer.type === "noul" ? { yes: answer.noul, no: 1 - answer.noul } : answer.probabilities;
  return Object.entries(odds).reduce((best, other) => (other[1] > best[1] ? other : best));
}

describe("npm run accuracy", () => {
  it("computes a file's figures from decide()'s answers", async () => {
    const file = await write("mail.jsonl", lines(ROWS));
    const { code, stdout, stderr } = await measure(file, "--instructions", "What is the message about?", "--flips", "2", "--deciders", "1");
    expect(stderr).toMatch(/umpire-2 {2}cls mail: 6 rows, [\d.]+ s, [\d.]+ rows\/s/);
    expect(code).toBe(0);

    const results = JSON.parse(await read("accuracy-mail.json")) as Written;
    const [model] = results.models;
    const [figures] = model?.sets ?? [];
    expect(results.models.map(({ model: { id } }) => id)).toEqual(["umpire-2"]);
    // The pilot's recorded figures are of other questions.
    expect(results.recorded).toBeUndefined();
    expect(stdout + stderr).not.toContain("umpire-pilot");
    expect(model?.model).toMatchObject({
      id: "umpire-2",
      releaseDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      precision: "int8",
    });
    expect(results.settings).toMatchObject({ rowsASet: 1000, seed: 7, flipRows: 2, longRows: 0, bins: 15 });
    expect(new Date(results.date).getTime()).toBeLessThanOrEqual(Date.now());
    expect(results.command).toContain("npm run accuracy -- ");
    expect(Object.keys(results.versions)).toEqual(["umpire", "node", "onnxruntime"]);
    expect(results.machine).toMatchObject({ threadsADecider: 1 });

    const criteria = { account: null, billing: null, delivery: null };
    const question: Question = { type: "choice", instructions: "What is the message about?", criteria };
    // Uses the default number of threads, because answers must not depend on it.
    const decider = createDecider();
    const answers: { right: boolean; said: string; probability: number; label: string }[] = [];
    for (const { text, label } of ROWS) {
      const response = await decider.decide({ state: text, questions: { topic: question } });
      const [said, probability] = given(response.answers.topic);
      answers.push({ right: said === label, said, probability, label });
    }
    await decider.close();
    const share = (list: typeof answers): number => list.filter(({ right }) => right).length / list.length;
    const surest = answers.toSorted((a, b) => b.probability - a.probability);
    let gaps = 0;
    for (let bin = 0; bin < 15; bin++) {
      const within = answers.filter(({ probability }) => Math.floor(probability * 15) === bin);
      gaps += Math.abs(within.reduce((sum, { right, probability }) => sum + Number(right) - probability, 0));
    }
    const f1 = Object.keys(criteria).map((label) => {
      const hits = answers.filter((answer) => answer.label === label && answer.right).length;
      return (2 * hits) / (answers.filter((answer) => answer.label === label).length + answers.filter(({ said }) => said === label).length);
    });
    expect(figures).toMatchObject({ kind: "cls", name: "mail", n: 6, saidYes: null, flips: { n: 2 } });
    expect(figures?.accuracy).toBeCloseTo(share(answers), 12);
    expect(figures?.ece).toBeCloseTo(gaps / 6, 12);
    expect(figures?.macroF1).toBeCloseTo(f1.reduce((a, b) => a + b) / 3, 12);
    expect(figures?.accuracyAt80).toBeCloseTo(share(surest.slice(0, 4)), 12);
    expect(figures?.accuracyAt50).toBeCloseTo(share(surest.slice(0, 3)), 12);
    expect(results.chance.sets[0]?.accuracy).toBeCloseTo(1 / 3, 12);
    expect(stdout).toContain(`cls: mail  6     ${figures?.accuracy.toFixed(3)}   0.333`);
    for (const name of ["accuracy-mail-reliability.svg", "accuracy-mail-risk-coverage.svg"])
      expect(await read(name)).toMatch(/^<svg [^]*<\/svg>\n$/);
  });

  it("measures every eval set of a data folder, and long states", async () => {
    await write("data/cls/eval/mail.jsonl.gz", gzipSync(lines(ROWS)));
    await write("data/cls/train/never.jsonl", "no JSON");
    await write("data/decisions/eval/own.jsonl", lines(DECISIONS));
    await write("data/nli/eval/pairs.tsv", "entailment\tA dog sleeps.\tAn animal sleeps.\ncontradiction\tA dog sleeps.\tA dog runs.\n");
    const news = Array.from({ length: 200 }, (_, i) => ({
      text: `Paper ${i} tells of harbour works. They cost ${i} million.`,
      label: i % 2 ? "a" : "b",
    }));
    await write("data/cls/eval/bbc_news.jsonl", lines(news));
    const { code, stdout, stderr } = await measure(
      "--data",
      join(folder, "data"),
      "--rows",
      "4",
      "--flips",
      "0",
      "--long",
      "1",
      "--deciders",
      "1",
      "--model",
      "latest",
    );
    expect(stderr).toContain("long states window 4 of 4: 1 rows");
    expect(stderr).toContain("umpire-pilot's recorded figures are left out");
    expect(code).toBe(0);

    const { models, chance } = JSON.parse(await read("accuracy.json")) as Written;
    const [model] = models;
    expect(model?.sets.map(({ kind, name, type, n }) => [kind, name, type, n])).toEqual([
      ["cls", "bbc_news", undefined, 4],
      ["cls", "mail", undefined, 4],
      ["decisions", "own", undefined, 4],
      ["decisions", "own", "noul", 2],
      ["decisions", "own", "score", 2],
      ["nli", "pairs", undefined, 2],
      ["nli as choice", "pairs", undefined, 2],
    ]);
    expect(model?.sets[3]).toMatchObject({ trulyYes: 0.5, flips: null });
    expect(model?.longStates).toMatchObject({ questions: 2, byWindow: Array.from({ length: 4 }, () => expect.any(Number) as number) });
    expect(chance.summary).toMatchObject({
      decisionsAccuracy: (0.5 + 1 / 3) / 2,
      yesNoAccuracy: 0.5,
      yesBias: 0,
      nliAccuracy: { pairs: 1 / 3 },
    });
    expect(stdout).toContain("long states, in window 3 of 4: accuracy");
    expect(stdout).toContain("classification, mean of 2: macro-F1");
  });

  it.each([
    [["nowhere.jsonl"], /accuracy: The file nowhere\.jsonl does not exist/],
    [["--data", "nowhere"], /accuracy: The data folder nowhere cannot be read/],
    [["--rows", "0"], /'--rows <n>'.*whole number, 1 or more/],
    [["--instructions", "Why?"], /--instructions goes with a file/],
  ])("ends with exit code 2 for %j", async (args, message) => {
    const { code, stderr, stdout } = await measure(...args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it("says of twins how often both of two answers that differ are right", async () => {
    const decider = createDecider({ model: "umpire-2", threads: 1 });
    const pay = { type: "noul", instructions: "Has Omar paid?" } as const;
    const states = ["Omar paid the whole bill on Friday.", "Omar has not paid his bill yet.", "Omar paid.", "Omar paid the bill."];
    const said: string[] = [];
    for (const state of states) said.push(given((await decider.decide({ state, questions: { pay } })).answers.pay)[0]);
    await decider.close();
    // The first pair is answered rightly in both rows, the second in one alone; the answer to `same` does not change.
    const [first = "", second = "", third = "", fourth = ""] = said;
    expect(first).not.toBe(second);
    expect(third).toBe(fourth);
    const truths = [first, second, third, third === "yes" ? "no" : "yes"];
    const rows = states.map((state, i) => ({
      state,
      questions: { pay: { ...pay, answer: truths[i] === "yes" }, same: { ...pay, answer: true } },
      pair: i < 2 ? "a" : "b",
    }));
    const { code, stdout } = await measure(await write("twins.jsonl", lines(rows)), "--flips", "0", "--model", "umpire-2");
    expect(code).toBe(0);
    const { models } = JSON.parse(await read("accuracy-twins.json")) as Written;
    expect(models[0]?.sets[0]).toMatchObject({ kind: "twins", n: 8, changed: 2, bothRight: 0.5 });
    expect(models[0]?.summary).toMatchObject({ twinsBothRight: 0.5, decisionsAccuracy: null });
    expect(stdout).toMatch(/both of two whose answers differ: right +0\.500/u);
  });

  it("names the line of a state over the model's budget, and the available models", async () => {
    const file = await write("long.jsonl", lines([ROWS[0], { text: "word ".repeat(20_000), label: "billing" }]));
    const tooLong = await measure(file, "--flips", "0", "--deciders", "1");
    expect(tooLong.stderr).toMatch(/long\.jsonl, line 2: .*16384/);
    expect(tooLong.code).toBe(2);
    const unknown = await measure(file, "--model", "none");
    expect(unknown.stderr).toMatch(/There are: umpire-2/);
    expect(unknown.code).toBe(2);
  });
});
