import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ExampleReading, Lesson } from "../../../src/library/lessons/lesson.ts";
import { NO_EVIDENCE } from "../../../src/service/node/upstream/switching.ts";
import { NO_FACTS, STORE_LIMITS, UpstreamStore } from "../../../src/service/node/upstream/upstream-store.ts";
import type { StoredQuestion } from "../../../src/service/node/upstream/upstream-store.ts";
import { umpire } from "../../support/command-line.ts";
import { decideError } from "../../support/rejection.ts";
import { tempDir } from "../../support/temp-dir.ts";

const READING: ExampleReading = {
  umpire_reading: 1,
  model: { id: "umpire-2", seal: "s" },
  question: "q",
  text: "t",
  probabilities: [0.6, 0.4],
};
const RISK = [
  { probability: 0.9, answers: 200, errors: 4 },
  { probability: 0.5, answers: 400, errors: 60 },
];
const TEAM: StoredQuestion = {
  id: "00000000000000aa",
  model: "hosted-1",
  question: { type: "choice", instructions: "Which team\u001b[2J should answer?", criteria: { billing: null, sales: null } },
  status: "switched",
  facts: {
    ...NO_FACTS,
    upstream: 400,
    local: 600,
    tried: 800,
    sure: 608,
    sentCharacters: 40_000,
    savedCharacters: 60_000,
    inputTokens: 10_000,
    outputTokens: 400,
  },
  evidence: { ...NO_EVIDENCE, checks: ".".repeat(19) + "x" },
  lesson: { risk: RISK } as unknown as Lesson,
};
const ANGRY: StoredQuestion = {
  ...TEAM,
  id: "00000000000000bb",
  question: { type: "noul", criteria: { true: "angry" } },
  status: "observing",
  facts: { ...NO_FACTS, upstream: 0, fallback: 7, back: 1 },
  evidence: NO_EVIDENCE,
  lesson: undefined,
};

let file: string;
beforeAll(async () => {
  file = join(tempDir(), "observed.db");
  const store = await UpstreamStore.open(file, { toWrite: true });
  await store.write((changes) => {
    changes.settings({ url: "https://hosted.example", seal: "s", maxDisagreement: 0.05 });
    changes.add(TEAM);
    changes.add(ANGRY);
    changes.observe(TEAM.id, { reading: READING, upstream: "billing", local: "sales" });
  });
  await store.close();
});

test("the table has a row for each question, those with most calls first; what a terminal would obey is escaped", async () => {
  const { stdout } = await umpire(["agreement", file, "--pretty"]);
  expect(stdout).toBe(`question            calls  agree  here  differ          state  tokens saved
Which team\\u001b[…   1000    95%   76%     ≤4%       switched         15600
{"true":"angry"}        7           0%          switched back             0

here: could be answered here, with at most 5% that differ; differ: the bound of that, at 90% confidence.
`);
});

test("as JSON it has all figures, credits at the price of the hosted model, and another rate if one is asked about", async () => {
  const { stdout } = await umpire(["agreement", file, "--price", "hosted-1=2/10", "--max-disagreement", "0.2"]);
  const { maxDisagreement, questions } = JSON.parse(stdout) as { maxDisagreement: number; questions: Record<string, unknown>[] };
  expect(maxDisagreement).toBe(0.2);
  // 60,000 characters at a quarter of a token, and 600 answers of one token.
  expect(questions[0]).toMatchObject({ calls: 1000, answeredHere: 600, compared: 20, savedInputTokens: 15_000, savedOutputTokens: 600 });
  expect(questions[0]?.["savedCredits"]).toBeCloseTo(0.036, 6);
  expect(questions[1]).toMatchObject({ agreement: null, share: 0, bound: null, back: 1 });
});

test("--export writes questions, rows without texts, and lessons", async () => {
  const folder = join(tempDir(), "out");
  await umpire(["agreement", file, "--export", folder]);
  expect(readdirSync(folder, { recursive: true }).map(String).sort()).toEqual([
    "lessons",
    "lessons/00000000000000aa.json",
    "questions.json",
    "rows",
    "rows/00000000000000aa.jsonl",
    "rows/00000000000000bb.jsonl",
  ]);
  expect(JSON.parse(readFileSync(join(folder, "rows/00000000000000aa.jsonl"), "utf8"))).toEqual({
    reading: READING,
    upstream: "billing",
    local: "sales",
  });
  expect(JSON.parse(readFileSync(join(folder, "questions.json"), "utf8"))).toMatchObject({ [ANGRY.id]: ANGRY.question });
});

test("without a store, it says what makes one", async () => {
  const { code, stderr } = await umpire(["agreement", join(tempDir(), "none.db")]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'umpire: There is no file of observations at that path: "umpire serve --upstream" makes it.\n',
  });
});

describe("a store", () => {
  test("holds the last 2,000 observations of a question, and all or nothing of a transaction", async () => {
    const store = await UpstreamStore.open(join(tempDir(), "many.db"), { toWrite: true });
    await store.write((changes) => {
      changes.add(TEAM);
      for (let i = 0; i < STORE_LIMITS.observationsOfOne + 5; i++) changes.observe(TEAM.id, { reading: READING, upstream: i, local: 0 });
    });
    await expect(
      store.write((changes) => {
        changes.observe(TEAM.id, { reading: READING, upstream: -1, local: 0 });
        throw new Error("stopped");
      }),
    ).rejects.toThrow();
    const kept = await store.observations(TEAM.id);
    expect([kept.length, kept[0]?.upstream, kept.at(-1)?.upstream]).toEqual([2000, 5, 2004]);
    await store.close();
  });

  test("is written by one server at a time, and may be read meanwhile and written after", async () => {
    const path = join(tempDir(), "one.db");
    const first = await UpstreamStore.open(path, { toWrite: true });
    expect((await decideError(() => UpstreamStore.open(path, { toWrite: true }))).message).toMatch(/^Another server writes to this file/u);
    const reader = await UpstreamStore.open(path, { toWrite: false });
    expect(await reader.questions()).toEqual([]);
    await reader.close();
    await first.close();
    await (await UpstreamStore.open(path, { toWrite: true })).close();
  });

  test("is no file of credits", async () => {
    const path = join(tempDir(), "text.db");
    const { writeFileSync } = await import("node:fs");
    writeFileSync(path, "not a database, but long enough to be taken for one".repeat(20));
    expect((await decideError(() => UpstreamStore.open(path, { toWrite: false }))).message).toBe(
      "The file is not a file of observations: it is not an SQLite database, or it is damaged.",
    );
  });
});
