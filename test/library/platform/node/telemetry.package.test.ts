import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../../../support/child-program.ts";
import { tempDir } from "../../../support/temp-dir.ts";

/** Runs a program as a user has it. It prints lines of JSON, and must leave nothing in its home. */
async function linesOf(source: string): Promise<unknown[]> {
  const home = tempDir();
  // onnxruntime sends nothing when it finds itself in continuous integration.
  const { code, stdout, stderr } = await runProgram(`
    for (const name of ["CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS"]) delete process.env[name];
    for (const name of ["HOME", "XDG_CACHE_HOME", "TMPDIR"]) process.env[name] = ${JSON.stringify(home)};
    ${source}`);
  expect([code, stderr]).toEqual([0, ""]);
  expect(readdirSync(home, { recursive: true })).toEqual([]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

// onnxruntime sends its events some seconds later, but writes an identifier and the waiting events to the home folder at once.
it.each([
  ["in a worker", "{ threads: 1 }"],
  ["on the caller's thread", "{ inline: true }"],
])("a decider %s leaves no telemetry: no identifier, and no events waiting to be sent", async (_, options) => {
  const lines = await linesOf(`
    const { readdirSync, readlinkSync } = await import("node:fs");
    const openFiles = () => (process.platform === "linux" ? readdirSync("/proc/self/fd") : []);
    // The process that runs the tests may have some open that it does not keep from its children.
    const before = openFiles();
    const { createDecider } = await import("umpire");
    const decider = await createDecider(${options});
    const { model } = await decider.decide({ state: "s", questions: { q: { type: "noul", instructions: "?" } } });
    const files = openFiles().filter((file) => !before.includes(file));
    const targets = files.map((file) => { try { return readlinkSync("/proc/self/fd/" + file); } catch { return ""; } });
    console.log(JSON.stringify([model, targets.filter((target) => /onnxruntime\\.db|mat-debug/.test(target))]));
    await decider.close();`);
  expect(lines).toEqual([["umpire-2", []]]);
});

interface Outcome {
  readonly name: string;
  readonly device?: string;
  readonly code?: string;
  readonly message?: string;
}

/** What a thread of a program prints: decides there with `options`. */
const decideIn = (name: string, options = "{ threads: 1 }"): string => `
  const { createDecider } = await import("umpire");
  const decider = createDecider(${options});
  const name = ${JSON.stringify(name)};
  try {
    await decider.decide({ state: "s", questions: { q: { type: "noul", instructions: "?" } } });
    console.log(JSON.stringify({ name, device: (await decider.info()).device }));
  } catch ({ code, message }) {
    console.log(JSON.stringify({ name, code, message }));
  }
  await decider.close();`;

/** A thread that runs `source`. @param options of the Worker */
const thread = (source: string, options = "{}"): string => `
  {
    const { SHARE_ENV, Worker } = await import("node:worker_threads");
    const { once } = await import("node:events");
    const source = ${JSON.stringify(`(async () => { ${source} })()`)};
    await once(new Worker(source, { eval: true, ...${options} }), "exit");
  }`;

describe("in a worker thread of a program, where telemetry cannot be switched off,", () => {
  const OWN = `{ env: { ...process.env, ORT_DISABLE_TELEMETRY: "1" } }`;
  const REFUSED: readonly (readonly [name: string, source: (name: string) => string])[] = [
    ["by default", (name) => thread(decideIn(name))],
    ["with the device cpu", (name) => thread(decideIn(name, `{ device: "cpu", threads: 1 }`))],
    ["on that thread itself", (name) => thread(decideIn(name, "{ inline: true }"))],
    ["where only the thread was given the variable", (name) => thread(decideIn(name), OWN)],
    ["in a thread of a thread that was given it", (name) => thread(thread(decideIn(name)), OWN)],
  ];
  // The last two set the variable for the whole program.
  const DECIDED: readonly (readonly [name: string, device: string, source: (name: string) => string])[] = [
    ["on wasm", "wasm", (name) => thread(decideIn(name, `{ device: "wasm", threads: 1 }`))],
    ["when the thread shares the program's environment", "cpu", (name) => thread(decideIn(name), "{ env: SHARE_ENV }")],
    ["once the program has the variable", "cpu", (name) => `process.env.ORT_DISABLE_TELEMETRY = "1"; ${thread(decideIn(name))}`],
  ];
  /** One program, which does all of them, one after the other. */
  let outcomes: readonly Outcome[] = [];
  beforeAll(async () => {
    const parts = [...REFUSED, ...DECIDED.map(([name, , source]) => [name, source] as const)].map(([name, source]) => source(name));
    outcomes = (await linesOf(parts.join("\n"))) as Outcome[];
  });
  const outcomesOf = (name: string): readonly Outcome[] => outcomes.filter((outcome) => outcome.name === name);

  it.each(REFUSED.map(([name]) => name))("umpire does not start %s, and says what to set", (name) => {
    expect(outcomesOf(name)).toEqual([{ name, code: "backend_unavailable", message: expect.any(String) as string }]);
    const [{ message } = {}] = outcomesOf(name);
    expect(message).toMatch(/Start the program itself with ORT_DISABLE_TELEMETRY=1 in its environment/);
    expect(message).toMatch(/device wasm/);
  });

  it.each(DECIDED.map(([name, device]) => [name, device] as const))("umpire decides %s", (name, device) => {
    expect(outcomesOf(name)).toEqual([{ name, device }]);
  });
});
