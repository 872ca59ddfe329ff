import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cleanEnv, CLI, finished, inTerminal, shell } from "../support/command-line.ts";

const LONG = { state: "word ".repeat(15_000), questions: { q: { type: "choice", instructions: "Which?", criteria: optionsOf(255) } } };

function optionsOf(count: number): Record<string, null> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`option number ${i}`, null]));
}

test("a reader that closes the pipe early is not an error", async () => {
  const examples = "examples/requests";
  const command = `${shell(["decide", "--pretty"])} ${examples}/*.json | head -n 1`;
  const root = new URL("../../", import.meta.url);
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
      cwd: new URL("../../", import.meta.url),
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

test("Ctrl-C in a terminal gives the shell exit code 130", async () => {
  const folder = await mkdtemp(join(tmpdir(), "umpire-ctrl-c-"));
  const [short, long] = [join(folder, "short.json"), join(folder, "long.json")];
  await writeFile(short, JSON.stringify({ ...LONG, state: "word", title: "The first" }));
  await writeFile(long, JSON.stringify(LONG));
  const { code, stdout } = await inTerminal(`exec ${shell(["decide", "--threads", "1", short, long])}`, {
    typed: "\u0003",
    when: "tokens in",
  });
  await rm(folder, { recursive: true });
  expect(code).toBe(130);
  expect(stdout).toContain("The first");
  expect(stdout).not.toMatch(/umpire:|Error|long\.json/u);
});
