import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decide } from "umpire";
import { evaluate } from "../../../src/tools/eval/evaluate.ts";
import { umpire } from "../../support/command-line.ts";
import { sharedDecider } from "../../support/shared-decider.ts";
import { tempDir } from "../../support/temp-dir.ts";

const CSV = `text,label
"The parcel came late, and the box was open.",delivery
I was charged twice this month.,billing
Please tell me how to reset my password.,account

"Your driver threw it
over the fence.",delivery
"He said ""no refund"" on the phone.",billing
`;
const LABELS = { account: null, billing: null, delivery: null };
const INSTRUCTIONS = "What is the message about?";

const DECISIONS = [
  { state: "Omar paid the whole bill on Friday.", questions: { paid: { type: "noul", instructions: "Has Omar paid?", answer: true } } },
  {
    state: { subject: "Lovely", text: "The room was clean and the staff kind." },
    questions: {
      paid: { type: "noul", instructions: "Is it a complaint?", answer: false },
      mood: { type: "score", instructions: "How pleased is the guest?", criteria: ["not at all", "fairly", "very"], answer: 2 },
    },
  },
];

interface Report {
  readonly rows: number;
  readonly model: string;
  readonly all: { readonly n: number; readonly accuracy: number; readonly chance: number };
  readonly types: Readonly<Record<string, { readonly n: number }>>;
}

interface Compared extends Report {
  readonly wordings: readonly (Report & { readonly wording: string })[];
  readonly comparison: { readonly differences: readonly object[] };
}

interface Required extends Report {
  readonly maxErrorRate: number;
  readonly requirements: readonly { readonly require: string; readonly value: number; readonly isMet: boolean }[];
}

interface Line {
  readonly line: number;
  readonly question: string;
  readonly truth: string;
  readonly said: string;
  readonly right: boolean;
  readonly probability: number;
}

const folder = tempDir();

async function write(name: string, content: string | Uint8Array | readonly unknown[]): Promise<string> {
  const path = join(folder, name);
  const isText = typeof content === "string" || content instanceof Uint8Array;
  await writeFile(path, isText ? content : content.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return path;
}

const linesOf = async (path: string): Promise<Line[]> =>
  (await readFile(path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/** What the library answers. */
async function answerTo(
  state: string,
  instructions: string,
  criteria: Readonly<Record<string, string | null>>,
): Promise<{ said: string; probability: number | undefined }> {
  const { answers } = await decide({ state, questions: { topic: { type: "choice", instructions, criteria } } });
  const { choice, probabilities } = answers.topic;
  return { said: choice, probability: probabilities[choice] };
}

describe("umpire eval", () => {
  it("asks about each text of a CSV file what the library answers, and counts what is right", async () => {
    const file = await write("mails.csv", CSV);
    const out = join(folder, "new/folder/mails.out.jsonl");
    const { code, stdout, stderr } = await umpire(["eval", file, "--instructions", INSTRUCTIONS, "--out", out]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = await linesOf(out);
    expect(lines.map(({ line, truth }) => [line, truth])).toEqual([
      [2, "delivery"],
      [3, "billing"],
      [4, "account"],
      [6, "delivery"],
      [8, "billing"],
    ]);
    const report = JSON.parse(stdout) as Report;
    const right = lines.filter(({ right }) => right).length;
    expect(report).toMatchObject({ rows: 5, model: "umpire-2", all: { n: 5, accuracy: right / 5, chance: 1 / 3 } });
    expect(stdout + (await readFile(out, "utf8"))).not.toMatch(/parcel|refund/u);

    expect(lines[4]).toMatchObject(await answerTo('He said "no refund" on the phone.', INSTRUCTIONS, LABELS));
  });

  it("reads other columns, semicolons, compressed files, and options with descriptions", async () => {
    const text = "\ufeffid;body;team\r\n1;The parcel came late.;delivery\r\n2;I was charged twice.;billing\r\n";
    const file = await write("export.csv.gz", gzipSync(text));
    const teams = { delivery: "late or lost parcels", billing: "payments", other: null };
    const criteria = await write("teams.json", JSON.stringify(teams));
    const out = join(folder, "export.out.jsonl");
    const args = ["eval", file, "--text-column", "body", "--label-column", "team", "--options", criteria, "--out", out];
    const { code, stdout } = await umpire(args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ all: { n: 2, chance: 1 / 3 } });
    const [first] = await linesOf(out);
    expect(first).toMatchObject({
      line: 2,
      truth: "delivery",
      ...(await answerTo("The parcel came late.", "Which of these fits best?", teams)),
    });
  });

  it("reads tabs of a .tsv file, whose names may hold commas", async () => {
    const file = await write("export.tsv", "subject, body\tteam\nLate, and open.\tdelivery\nCharged twice.\tbilling\n");
    const { code, stdout } = await umpire(["eval", file, "--text-column", "subject, body", "--label-column", "team"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ all: { n: 2, chance: 1 / 2 } });
  });

  it("reads a CSV file that has a column named state, if the text is named", async () => {
    const file = await write("places.csv", "text,label,state\nThe bill is wrong.,billing,Ohio\nThe box is torn.,delivery,Iowa\n");
    const { code, stdout } = await umpire(["eval", file, "--text-column", "text"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2 });
  });

  it("asks the questions of rows that have their own", async () => {
    const file = await write("own.jsonl", DECISIONS);
    const out = join(folder, "own.out.jsonl");
    const { code, stdout } = await umpire(["eval", file, "--out", out]);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Report).types).toMatchObject({ noul: { n: 2 }, score: { n: 1 } });
    expect((await umpire(["eval", file, "--pretty"])).stdout).toMatch(/\nyes\/no +2 .*\nscore +1 /u);
    expect((await linesOf(out)).map(({ line, question, truth }) => [line, question, truth])).toEqual([
      [1, "paid", "yes"],
      [2, "paid", "no"],
      [2, "mood", "2"],
    ]);
  });

  it("asks only some rows, and the same ones for the same seed", async () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({ text: `Order ${i} is late.`, label: i % 2 === 0 ? "late" : "lost" }));
    const file = await write("many.jsonl", rows);
    const linesFor = async (seed: string): Promise<number[]> => {
      const out = join(folder, `many.${seed}.out.jsonl`);
      expect((await umpire(["eval", file, "--rows", "4", "--seed", seed, "--out", out])).code).toBe(0);
      return (await linesOf(out)).map(({ line }) => line);
    };
    const first = await linesFor("7");
    expect(first).toHaveLength(4);
    expect(first).toEqual(first.toSorted((a, b) => a - b));
    expect(await linesFor("7")).toEqual(first);
    expect(await linesFor("8")).not.toEqual(first);
  });

  it("shows a terminal how far it is, and then the figures", async () => {
    const file = await write("terminal.csv", CSV);
    const { code, stdout, stderr } = await umpire(["eval", file, "--instructions", INSTRUCTIONS, "--no-color"], { terminal: 80 });
    expect(code).toBe(0);
    expect(stderr).toContain(" 0 of 5");
    expect(stderr.endsWith("\r\u001b[K")).toBe(true);
    expect(stdout).toContain("terminal.csv: 5 rows, umpire-2 (int8, cpu)");
    expect(stdout).toMatch(/^all +5 +[01]\.\d{3} +0\.333 /mu);
    expect(stdout).toMatch(/^To a person, if right in fewer than 60 of 100: \d+\.0%\./mu);
  });

  it("compares wordings: each has the figures that it has alone, and all are asked in one read of a row", async () => {
    const rows = Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? `Order ${i} never came,yes` : `Order ${i} is a joy,no`));
    const file = await write("spam.csv", `text,label\n${rows.join("\n")}\n`);
    const question = await write("complaint.json", '{"type":"noul","instructions":"Is this spam?"}');
    const [out, best] = [join(folder, "spam.out.jsonl"), join(folder, "best.json")];
    const wordings = ["Does the writer complain?", "Is the writer pleased?"];
    const more = wordings.flatMap((wording) => ["--instructions", wording]);
    const { code, stdout, stderr } = await umpire(["eval", file, question, ...more, "--out", out, "--write", best]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const report = JSON.parse(stdout) as Compared;
    expect(report.wordings.map(({ wording }) => wording)).toEqual([`${question}: Is this spam?`, ...wordings]);
    expect(report).toMatchObject({ rows: 24, maxErrorRate: 0.1, comparison: { by: "accuracy", best: 2, resamples: 2000 } });
    expect(report.comparison.differences).toHaveLength(3);
    expect(report.wordings[1]).toMatchObject({ all: { n: 24 }, acted: { share: expect.any(Number) as number } });
    expect(JSON.parse(await readFile(best, "utf8"))).toEqual({ type: "noul", instructions: wordings[0] });
    expect((await linesOf(out)).slice(0, 4).map(({ line, question }) => [line, question])).toEqual([
      [2, "1"],
      [2, "2"],
      [2, "3"],
      [3, "1"],
    ]);

    // The file that was written is a question file.
    const alone = JSON.parse((await umpire(["eval", file, best, "--max-error-rate", "0.1"])).stdout) as Report;
    const { all, acted, stated, confusions } = (report.wordings[1] ?? {}) as Record<string, unknown>;
    expect(alone).toMatchObject({ all, acted, stated, confusions });

    let reads = 0;
    const counting = new Proxy(sharedDecider, {
      get: (target, name) => {
        if (name === "decide") reads++;
        if (name === Symbol.asyncDispose) return () => Promise.resolve();
        const member: unknown = Reflect.get(target, name);
        return typeof member === "function" ? (member as () => unknown).bind(target) : member;
      },
    });
    const shown = new PassThrough();
    const io = { stdin: new PassThrough(), stdout: shown, stderr: new PassThrough(), env: {} };
    const flags = { question: [question], instructions: wordings, threshold: 0.6, by: "accuracy", seed: 7, color: false } as const;
    await evaluate(io, () => counting, file, flags);
    expect(reads).toBe(24);
  });

  it("compares the labels' question in other words, and says if the best may be so by chance", async () => {
    const file = await write("few.csv", CSV);
    const args = ["eval", file, "--instructions", "What is the message about?", "--instructions", "Who should read it?", "--pretty"];
    const { code, stdout } = await umpire(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +accuracy +macro-F1 +ECE +act@0\.1 +act-errors$/mu);
    expect(stdout).toMatch(/^Best by accuracy: [12]/mu);
    const questions = await Promise.all(
      ["a", "b"].map((name) => write(`${name}.json`, JSON.stringify({ type: "choice", instructions: name, criteria: LABELS }))),
    );
    const compared = JSON.parse((await umpire(["eval", file, ...questions, "--by", "macro-f1"])).stdout) as Compared;
    expect(compared.comparison).toMatchObject({ by: "macro-f1" });
    expect(compared.wordings).toHaveLength(2);
  });

  it("writes the question of the labels, for other commands", async () => {
    const file = await write("labels.csv", CSV);
    const question = join(folder, "labels.json");
    expect((await umpire(["eval", file, "--instructions", INSTRUCTIONS, "--write", question])).code).toBe(0);
    expect(JSON.parse(await readFile(question, "utf8"))).toEqual({ type: "choice", instructions: INSTRUCTIONS, criteria: LABELS });
  });

  it("ends with exit code 4 if a requirement is not met, and says by how much", async () => {
    const file = await write("required.csv", CSV);
    const args = ["eval", file, "--instructions", INSTRUCTIONS];
    const required = ["accuracy>=1", "accuracy>=.1", "act@.05>=.99", "act-errors@.3<=1"].flatMap((text) => ["--require", text]);
    const { code, stdout, stderr } = await umpire([...args, ...required]);
    expect(code).toBe(4);
    const { requirements, maxErrorRate, all } = JSON.parse(stdout) as Required;
    expect(stderr).toMatch(/^umpire: accuracy>=1 is not met: it is 0\.\d+\.\numpire: act@\.05>=\.99 is not met: it is [01][.\d]*\.\n$/u);
    expect(maxErrorRate).toBe(0.05);
    expect(requirements.map(({ isMet }) => isMet)).toEqual([false, true, false, true]);
    expect(requirements[0]).toEqual({ require: "accuracy>=1", value: all.accuracy, isMet: false });

    const met = await umpire([...args, "--require", "accuracy>=.1", "--require", "macro-f1>=.1", "--require", "log-loss<=9"]);
    expect([met.code, met.stderr]).toEqual([0, ""]);
    // Of several wordings, the best is judged.
    const several = await umpire([...args, "--instructions", "Which colour?", "--require", "accuracy>=1"]);
    const best = JSON.parse(several.stdout) as Compared & Required;
    expect(best.requirements[0]?.value).toBe(Math.max(...best.wordings.map((one) => one.all.accuracy)));
    expect(several.code).toBe(4);
  });

  it("leaves out a state that is too long, and names its line", async () => {
    const file = await write("long.csv", `text,label\nshort,a\n${"word ".repeat(20_000)},b\n`);
    const { code, stdout, stderr } = await umpire(["eval", file]);
    expect(stderr).toMatch(/1 row is left out of .*long\.csv: line 3: .*16384/u);
    expect([code, JSON.parse(stdout)]).toMatchObject([3, { rows: 1, leftOut: 1 }]);
  });
});
