import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { readRows } from "../../../src/tools/rows/read-rows.ts";
import { cleanEnv, CLI, finished } from "../../support/command-line.ts";
import type { Run } from "../../support/command-line.ts";
import { LABEL_QUESTION, labelRows } from "../../support/label-rows.ts";
import { tempDir } from "../../support/temp-dir.ts";

let folder = tempDir();
const at = (name: string): string => join(folder, name);
const COUNT = 60;

interface Labelling {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Run>;
  /** Waits for one more row that is asked about. @returns its text; undefined: it has ended */
  asked(): Promise<string | undefined>;
}

function start(): Labelling {
  const args = ["label", at("rows.jsonl"), at("question.json"), "--out", at("labels.csv"), "--lesson", at("lesson.json")];
  const child = spawn(process.execPath, [CLI, ...args, "--terminal", "--model", "umpire-2", "--threads", "1"], { env: cleanEnv() });
  child.stdin.on("error", () => undefined);
  let [seen, rows] = ["", 0];
  child.stderr.on("data", (chunk: Buffer) => (seen += chunk.toString()));
  const ended = finished(child);
  const asked = async (): Promise<string | undefined> => {
    for (;;) {
      const found = [...seen.matchAll(/^\d+ of \d+ rows, .*\n(?:.*\n)*?\n {2}(.*)\n\n(?=Which)/gmu)];
      if (found.length > rows) return found[rows++]?.[1];
      if (child.exitCode !== null || child.signalCode !== null) return undefined;
      await sleep(1);
    }
  };
  return { child, ended, asked };
}

const kept = async (): Promise<string[]> => (await readRows(at("labels.csv"))).map(({ value }) => (value as { text: string }).text);

test("a kill between any two answers, or while one is written, loses none that was followed by another row, and doubles none", async () => {
  const truth = labelRows(COUNT);
  await writeFile(at("rows.jsonl"), [...truth.keys()].map((text) => `${JSON.stringify({ text })}\n`).join(""));
  await writeFile(at("question.json"), JSON.stringify(LABEL_QUESTION));
  const answers = Object.keys(LABEL_QUESTION.criteria);
  const given: string[] = [];
  for (let kill = 0; given.length < COUNT; kill++) {
    const labelling = start();
    // So many answers, then a kill: at once, or after a moment in which the next one is being written.
    for (let left = 1 + (kill % 9); left >= 0; left--) {
      const text = await labelling.asked();
      if (text === undefined) break;
      expect(given).not.toContain(text);
      const before = await kept().catch(() => []);
      expect(before).toEqual(given);
      if (left === 0 && kill % 2 === 0) break;
      labelling.child.stdin.write(`${1 + answers.indexOf(truth.get(text) ?? "")}\n`);
      if (left === 0) await sleep(Math.random() * 12);
      else {
        given.push(text);
        // It is followed by another row, or by the end.
        if (given.length === COUNT) break;
      }
    }
    if (given.length === COUNT) {
      labelling.child.stdin.end();
      expect((await labelling.ended).code).toBe(0);
      break;
    }
    labelling.child.kill("SIGKILL");
    await labelling.ended;
    // The last one was taken or it was not.
    const now = await kept();
    expect(now.length - given.length).toBeOneOf([0, 1]);
    expect(now.slice(0, given.length)).toEqual(given);
    if (now.length > given.length) given.push(...now.slice(given.length));
  }
  expect(new Set(await kept()).size).toBe(COUNT);
  const all = (await readRows(at("labels.csv"))).map(({ value }) => value as { text: string; label: string });
  expect(all.filter(({ text, label }) => truth.get(text) !== label)).toEqual([]);
  expect(JSON.parse(await readFile(at("lesson.json"), "utf8"))).toMatchObject({ examples: { answered: COUNT } });
  expect((await readdir(folder)).sort()).toEqual(["labels.csv", "lesson.json", "question.json", "rows.jsonl"]);
});

test("two do not write one file", async () => {
  folder = tempDir();
  await writeFile(at("rows.jsonl"), '{"text":"a"}\n');
  await writeFile(at("question.json"), JSON.stringify(LABEL_QUESTION));
  const first = start();
  while (!(await readdir(folder)).includes("labels.csv.lock")) await sleep(1);
  const { code, stderr } = await start().ended;
  expect(code).toBe(1);
  expect(stderr).toContain(`Another run is writing ${at("labels.csv")}: process ${first.child.pid} on `);
  first.child.kill("SIGTERM");
  await first.ended;
});
