import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../../support/child-program.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "umpire-home-"));
});
afterEach(() => rm(home, { recursive: true }));

interface Outcome {
  readonly device?: string;
  readonly code?: string;
  readonly message?: string;
}

/** What a thread of a program prints: decides there with `options`. */
const decideIn = (options: string): string => `
  const { createDecider } = await import("umpire");
  const decider = createDecider(${options});
  try {
    await decider.decide({ state: "s", questions: { q: { type: "noul", instructions: "?" } } });
    console.log(JSON.stringify({ device: (await decider.info()).device }));
  } catch ({ code, message }) {
    console.log(JSON.stringify({ code, message }));
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

/** Runs a program as a user has it: onnxruntime sends nothing when it finds itself in continuous integration. */
async function outcome(source: string): Promise<Outcome> {
  const { code, stdout, stderr } = await runProgram(`
    for (const name of ["CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS"]) delete process.env[name];
    for (const name of ["HOME", "XDG_CACHE_HOME", "TMPDIR"]) process.env[name] = ${JSON.stringify(home)};
    ${source}`);
  expect([code, stderr]).toEqual([0, ""]);
  // Nothing was written, whatever came out.
  expect(await readdir(home, { recursive: true })).toEqual([]);
  return JSON.parse(stdout) as Outcome;
}

describe("in a worker thread of a program, where telemetry cannot be switched off,", () => {
  it.each([
    ["by default", thread(decideIn("{}"))],
    ["with the device cpu", thread(decideIn(`{ device: "cpu" }`))],
    ["on that thread itself", thread(decideIn("{ inline: true }"))],
    ["where only the thread was given the variable", thread(decideIn("{}"), `{ env: { ...process.env, ORT_DISABLE_TELEMETRY: "1" } }`)],
    [
      "in a thread of a thread that was given it",
      thread(thread(decideIn("{}")), `{ env: { ...process.env, ORT_DISABLE_TELEMETRY: "1" } }`),
    ],
  ])("umpire does not start %s, and says what to set", async (_, source) => {
    const { code, message } = await outcome(source);
    expect(code).toBe("backend_unavailable");
    expect(message).toMatch(/Start the program itself with ORT_DISABLE_TELEMETRY=1 in its environment/);
    expect(message).toMatch(/device wasm/);
  });

  it.each([
    ["on wasm", thread(decideIn(`{ device: "wasm" }`)), "wasm"],
    ["once the program has the variable", `process.env.ORT_DISABLE_TELEMETRY = "1"; ${thread(decideIn("{}"))}`, "cpu"],
    ["when the thread shares the program's environment", thread(decideIn("{}"), "{ env: SHARE_ENV }"), "cpu"],
  ])("umpire decides %s", async (_, source, device) => {
    expect(await outcome(source)).toEqual({ device });
  });
});
