import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { randomFrom, shuffled } from "../../../../src/library/statistics/random.ts";
import { lacks } from "../../../support/needs.ts";
import { PACKAGE_ROOT } from "../../../support/package-root.ts";
import { figuresText, isWithin, simulate } from "./simulation.ts";
import type { LabelledSet } from "./simulation.ts";

/** Long articles are read on one thread. */
const TIMEOUT_MS = 1_800_000;
/** Eval sets of the data folder beside the repository. */
const DATA = fileURLToPath(new URL("../shared/data/cls/", PACKAGE_ROOT));

function readSet(name: string, instructions: string): LabelledSet {
  const lines = gunzipSync(readFileSync(`${DATA}eval/${name}.jsonl.gz`))
    .toString()
    .trim()
    .split("\n");
  const rows = shuffled(
    lines.map((line) => JSON.parse(line) as LabelledSet["rows"][number]),
    randomFrom(5),
  );
  const labels = [...new Set(rows.map(({ label }) => label))].sort();
  return { name, question: { type: "choice", instructions, criteria: Object.fromEntries(labels.map((label) => [label, null])) }, rows };
}

it.skipIf(lacks(DATA)).each([
  [
    ["stackoverflow_titles", "Which technology is the question about?"],
    ["bbc_news", "What is the article about?"],
  ],
  [
    ["bbc_news", "What is the article about?"],
    ["tweet_sentiment", "What is the sentiment of the tweet?"],
  ],
] as const)(
  "2,000 calls about %j and %j, with noise, failures, kills and a change of mind",
  async (first, second) => {
    const { questions, wrong } = await simulate({
      sets: [readSet(first[0], first[1]), readSet(second[0], second[1])],
      calls: 2000,
      kills: [90, 333, 701, 1015, 1500],
      seed: 4,
    });
    console.log(figuresText(questions));
    expect(wrong).toEqual([]);
    for (const { differed, promised } of questions) expect(isWithin(differed, promised)).toBe(true);
    const [changed] = questions;
    if (changed !== undefined && changed.switchedAfter > 0 && changed.switchedAfter <= 500) {
      expect(changed.backAfter).toBeGreaterThan(0);
      expect(changed.backAfter).toBeLessThanOrEqual(200);
    }
  },
  TIMEOUT_MS,
);
