import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rename, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { cleanEnv, CLI, finished } from "../../support/command-line.ts";
import type { Run } from "../../support/command-line.ts";
import { jsonl, RunFolder } from "../run/run-folder.ts";

const ROWS = 200;
/** Runs that end early load the model once. */
const ONE_WORKER = ["--workers", "1", "--threads", "1"];
const SMALL_BLOCKS = ["--block", "10"];
/** Enough of them that rows are left after many kills. */
const TINY_BLOCKS = ["--block", "2"];

const folder = new RunFolder();
/** What one run without any trouble writes. */
let undisturbed: string;

beforeAll(async () => {
  await folder.write("rows.jsonl", jsonl(ROWS));
  expect((await folder.run("rows.jsonl", "undisturbed.jsonl", SMALL_BLOCKS)).code).toBe(0);
  undisturbed = await folder.read("undisturbed.jsonl");
});

const sha256 = async (name: string): Promise<string> =>
  createHash("sha256")
    .update(await readFile(folder.at(name)))
    .digest("hex");
const sizeOf = (name: string): Promise<number> =>
  stat(folder.at(name)).then(
    ({ size }) => size,
    () => 0,
  );

/** The run is killed once its journal has grown, and a random time after that; or as soon as it has written results that the journal does not name yet. */
async function killedRun(out: string, rows: "file" | "pipe", isBetween: boolean): Promise<void> {
  const file = isBetween ? `${out}.part` : `${out}.journal`;
  const before = await sizeOf(`${out}.journal`);
  const args = folder.args(rows === "file" ? "rows.jsonl" : "-", out, ...ONE_WORKER, ...TINY_BLOCKS);
  const child = spawn(process.execPath, [CLI, ...args], { env: cleanEnv() });
  child.stdin.on("error", () => undefined);
  if (rows === "pipe") createReadStream(folder.at("rows.jsonl")).pipe(child.stdin);
  const ended = finished(child);
  // What an earlier run left over is cut off when the journal is opened.
  while (child.exitCode === null && (await sizeOf(`${out}.journal`)) <= before) await sleep(1);
  const grown = await sizeOf(file);
  while (isBetween && child.exitCode === null && (await sizeOf(file)) <= grown) await sleep(1);
  await sleep(isBetween ? 0 : Math.random() * 30);
  child.kill("SIGKILL");
  await ended;
}

describe.each([
  ["file", 20],
  ["pipe", 6],
] as const)("rows from a %s", (rows, kills) => {
  test(`${kills} kills leave the bytes of one run, and every row once`, async () => {
    const out = `killed-${rows}.jsonl`;
    for (let kill = 0; kill < kills; kill++) await killedRun(out, rows, kill % 2 === 1);
    expect((await folder.read(`${out}.journal`)).split("\n").length).toBeGreaterThan(kills);
    const flags = TINY_BLOCKS;
    const { code } =
      rows === "file"
        ? await folder.run("rows.jsonl", out, flags)
        : await folder.run("-", out, flags, { stdin: await folder.read("rows.jsonl") });
    expect(code).toBe(0);
    expect(await sha256(out)).toBe(await sha256("undisturbed.jsonl"));
    const ids = (await folder.read(out))
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual(Array.from({ length: ROWS }, (_, id) => id));
    expect((await readdir(folder.path)).filter((name) => name.startsWith(`${out}.`))).toEqual([]);
  });
});

test("a disk that fills up twice leaves the bytes of one run", async () => {
  // A limit on the size of files stands in for a disk: it ends a write in the same way, in the middle.
  const limited = (kilobytes: number): Promise<Run> => {
    const command = `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`;
    const args = folder.args("rows.jsonl", "full.jsonl", ...ONE_WORKER, ...SMALL_BLOCKS);
    return finished(spawn("bash", ["--norc", "-c", command, process.execPath, CLI, ...args], { env: cleanEnv() }));
  };
  for (const share of [0.3, 0.7]) {
    const { code, stderr } = await limited(Math.round((share * undisturbed.length) / 1024));
    expect(code).toBe(1);
    expect(stderr).toContain("cannot be written: the file is larger than the system allows. What is done is safe");
  }
  expect((await folder.run("rows.jsonl", "full.jsonl", SMALL_BLOCKS)).code).toBe(0);
  expect(await folder.read("full.jsonl")).toBe(undisturbed);
});

test("a folder that is lost and comes back leaves the bytes of one run", async () => {
  await mkdir(folder.at("mount"));
  const child = spawn(process.execPath, [CLI, ...folder.args("rows.jsonl", "mount/answers.jsonl", ...ONE_WORKER, ...SMALL_BLOCKS)], {
    env: cleanEnv(),
  });
  const run = finished(child);
  while ((await sizeOf("mount/answers.jsonl.part")) === 0) await sleep(2);
  await rename(folder.at("mount"), folder.at("away"));
  const { code, stderr } = await run;
  expect(code).toBe(1);
  expect(stderr).toContain("answers.jsonl.lock is gone, and perhaps its whole folder. Once that is back, the same command goes on.");
  await rename(folder.at("away"), folder.at("mount"));
  expect((await folder.run("rows.jsonl", "mount/answers.jsonl", SMALL_BLOCKS)).code).toBe(0);
  expect(await folder.read("mount/answers.jsonl")).toBe(undisturbed);
});

test("two runs do not write one file", async () => {
  const child = spawn(process.execPath, [CLI, ...folder.args("rows.jsonl", "two.jsonl", ...ONE_WORKER, ...SMALL_BLOCKS)], {
    env: cleanEnv(),
  });
  const first = finished(child);
  while ((await sizeOf("two.jsonl.journal")) === 0) await sleep(5);
  const { code, stderr } = await folder.run("rows.jsonl", "two.jsonl", SMALL_BLOCKS);
  expect(code).toBe(1);
  expect(stderr).toContain(`Another run is writing ${folder.at("two.jsonl")}: process ${child.pid} on `);
  expect((await first).code).toBe(0);
  expect(await folder.read("two.jsonl")).toBe(undisturbed);
});
