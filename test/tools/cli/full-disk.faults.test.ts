import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DESK_EXAMPLES, DESK_FLAGS, deskCsv } from "./desk-examples.ts";
import { uncalibratedPack } from "./models/uncalibrated-pack.ts";
import { CLI, cleanEnv, finished, umpire, type Run } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";

const folder = tempDir();
const at = (name: string): string => join(folder, name);

/** Runs `umpire` where the disk is full once something is written beside its place, to take that place by a rename. */
function onFullDisk(args: readonly string[]): Promise<Run> {
  const source = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; const { promises } = fs;
    for (const name of ["open", "writeFile"]) {
      const usual = promises[name];
      promises[name] = (path, ...rest) => /\\.tmp$|[/\\\\]\\.adding-/u.test(path) ? Promise.reject(Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "write" })) : usual(path, ...rest);
    }
    syncBuiltinESMExports();`;
  return finished(
    spawn(process.execPath, ["--import", `data:text/javascript,${encodeURIComponent(source)}`, CLI, ...args], { env: cleanEnv({}) }),
  );
}

test("a lesson that finds the disk full says so, and nothing is written", async () => {
  await writeFile(at("desk.csv"), deskCsv());
  const { code, stderr } = await onFullDisk(["teach", at("desk.csv"), ...DESK_FLAGS, "--out", at("lesson.json")]);
  expect([code, stderr]).toEqual([1, `umpire: ${at("lesson.json")} cannot be written: the disk is full.\n`]);
  expect(existsSync(at("lesson.json"))).toBe(false);
});

test.skipIf(!existsSync("/dev/full"))("results that find the disk full say so", async () => {
  await writeFile(at("desk.csv"), deskCsv());
  const { code, stderr } = await umpire(["eval", at("desk.csv"), "--rows", "4", "--out", "/dev/full"]);
  expect([code, stderr]).toEqual([1, "umpire: /dev/full cannot be written: the disk is full.\n"]);
});

test("a calibrated pack that finds the disk full says so, and stays as it was", async () => {
  const pack = await uncalibratedPack();
  try {
    const rows = Array.from({ length: 3 }, () => DESK_EXAMPLES).flat();
    await writeFile(at("rows.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const before = await readFile(pack.path("manifest.json"), "utf8");
    const { code, stderr } = await onFullDisk(["models", "calibrate", pack.folder, at("rows.jsonl")]);
    const said = `umpire: The model in ${pack.folder} cannot be replaced, and stays as it was: the disk is full.\n`;
    expect([code, stderr]).toEqual([1, said]);
    expect(await readFile(pack.path("manifest.json"), "utf8")).toBe(before);
  } finally {
    await pack.remove();
  }
});
