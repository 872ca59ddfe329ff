import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { cleanEnv, CLI, finished, inTerminal, lacksTerminal, shell } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { DESK } from "./desk-examples.ts";
import { uncalibratedPack } from "./models/uncalibrated-pack.ts";

const LONG = { state: "word ".repeat(15_000), questions: { q: { type: "choice", instructions: "Which?", criteria: optionsOf(255) } } };

function optionsOf(count: number): Record<string, null> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`option number ${i}`, null]));
}

test("a reader that closes the pipe early is not an error", async () => {
  const examples = "examples/requests";
  const command = `${shell(["decide", "--pretty"])} ${examples}/*.json | head -n 1`;
  const root = new URL("../../../", import.meta.url);
  const { code, stdout, stderr } = await finished(
    spawn("bash", ["--norc", "-o", "pipefail", "-c", command], { cwd: root, env: cleanEnv() }),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^── .+\n$/u);
});

test("an interrupt while it waits for input ends it without a message", async () => {
  const child = spawn(process.execPath, [CLI, "decide", "-"], { env: cleanEnv() });
  const run = finished(child);
  child.stdin.on("error", () => undefined);
  // More than a pipe can hold: once it is written, the program is reading, and waits for an end that never comes.
  await new Promise((resolve) => child.stdin.write(" ".repeat(1_000_000), resolve));
  child.kill("SIGINT");
  expect(await run).toEqual({ code: null, signal: "SIGINT", stdout: "", stderr: "" });
});

test("an interrupt while the model is running ends it without a message, before the answer", async () => {
  const child = spawn(
    process.execPath,
    [CLI, "decide", "examples/requests/recipe.json", "-", "--pretty", "--precision", "fp32", "--threads", "1"],
    {
      cwd: new URL("../../../", import.meta.url),
      env: cleanEnv(),
    },
  );
  child.stdin.end(JSON.stringify(LONG));
  const run = finished(child);
  // The first answer is printed, so the model is working on the long request.
  await once(child.stdout, "data");
  child.kill("SIGINT");
  const { signal, stdout, stderr } = await run;
  expect({ signal, stderr }).toEqual({ signal: "SIGINT", stderr: "" });
  expect(stdout).not.toContain("option number");
});

test.skipIf(lacksTerminal())("Ctrl-C in a terminal gives the shell exit code 130", async () => {
  const folder = tempDir();
  const [short, long] = [join(folder, "short.json"), join(folder, "long.json")];
  await writeFile(short, JSON.stringify({ ...LONG, state: "word", title: "The first" }));
  await writeFile(long, JSON.stringify(LONG));
  const { code, stdout } = await inTerminal(`exec ${shell(["decide", "--threads", "1", short, long])}`, {
    typed: "\u0003",
    when: "tokens in",
  });
  expect(code).toBe(130);
  expect(stdout).toContain("The first");
  expect(stdout).not.toMatch(/umpire:|Error|long\.json/u);
});

describe.skipIf(lacksTerminal())("Ctrl-C, typed when answers are there,", () => {
  const URGENT = { type: "noul", instructions: "Is it urgent?" };
  const jsonl = (row: (i: number) => object): string => Array.from({ length: 20_000 }, (_, i) => `${JSON.stringify(row(i))}\n`).join("");
  /** The bar names a time only once there are answers. */
  const interrupted = async (...args: readonly string[]): Promise<string> =>
    (await inTerminal(shell(args), { typed: "\u0003", when: " of 20000, " })).stdout;

  test("leaves no figure and no file of umpire eval", async () => {
    const folder = tempDir();
    const file = join(folder, "endless.jsonl");
    await writeFile(
      file,
      jsonl((i) => ({ text: `Order ${i} is late.`, label: i % 2 === 0 ? "late" : "lost" })),
    );
    expect(await interrupted("eval", file, "--out", join(folder, "answers.jsonl"))).not.toContain("accuracy");
    expect(await readdir(folder)).toEqual(["endless.jsonl"]);
  });

  test("leaves no lesson of umpire teach", async () => {
    const folder = tempDir();
    const [question, file] = [join(folder, "desk.json"), join(folder, "endless.jsonl")];
    await writeFile(question, JSON.stringify(DESK));
    await writeFile(
      file,
      jsonl((i) => ({ text: `Order ${i} is late.`, label: i % 2 === 0 ? "north" : "south" })),
    );
    expect(await interrupted("teach", question, file, "--out", join(folder, "lesson.json"))).not.toContain("accuracy");
    expect(await readdir(folder)).toEqual(["desk.json", "endless.jsonl"]);
  });

  test("leaves the pack of umpire models calibrate as it was", async () => {
    const pack = await uncalibratedPack();
    try {
      const before = await readFile(pack.path("manifest.json"), "utf8");
      const file = join(tempDir(), "endless.jsonl");
      await writeFile(
        file,
        jsonl((i) => ({ state: `Order ${i}.`, questions: { urgent: { ...URGENT, answer: i % 2 === 0 } } })),
      );
      await interrupted("models", "calibrate", pack.folder, file);
      expect(await readFile(pack.path("manifest.json"), "utf8")).toBe(before);
      expect((await readdir(dirname(pack.folder))).filter((name) => name.startsWith(`.${basename(pack.folder)}`))).toEqual([]);
    } finally {
      await pack.remove();
    }
  });
});

test("an interrupt of a run says that what is done is kept, and how to go on", async () => {
  const folder = tempDir();
  const [rows, out] = [join(folder, "rows.csv"), join(folder, "out.csv")];
  await writeFile(rows, `text\n${"It came late.\n".repeat(20_000)}`);
  const args = ["run", rows, "--ask", "Is it late?", "--out", out, "--block", "10", "--quiet", "--threads", "1"];
  const child = spawn(process.execPath, [CLI, ...args], { env: cleanEnv() });
  const run = finished(child);
  // The first answers: the file itself is there before the run listens.
  await vi.waitFor(
    async () => {
      expect(await readFile(`${out}.part`, "utf8")).toMatch(/\n.+\n/u);
    },
    { timeout: 120_000 },
  );
  child.kill("SIGINT");
  const { signal, stderr } = await run;
  expect({ signal, stderr }).toEqual({
    signal: "SIGINT",
    stderr: "umpire: Stopped. What is done is kept: the same command goes on; with --restart it begins anew.\n",
  });
});
