import { mkdir, readdir } from "node:fs/promises";
import { newFolder } from "../clean-up.mjs";
import { runProgram } from "../program.mjs";

const SOURCE = `
  import { Worker } from "node:worker_threads";
  const inThread = \`
    const { parentPort } = require("node:worker_threads");
    import("umpire").then(async ({ createDecider }) => {
      const decider = createDecider();
      const outcome = await decider.decide({ state: "s", questions: { q: { type: "noul", instructions: "?" } } }).then(() => "answer", (error) => error.code);
      await decider.close();
      parentPort.postMessage(outcome);
    });\`;
  new Worker(inThread, { eval: true, execArgv: [] }).once("message", (outcome) => console.log(outcome));`;

/** The runtime calls its maker's host, unless a variable says otherwise; a thread cannot set it. */
export const workerThread = {
  name: "umpire in a worker thread of the caller's own",
  promise: "it refuses to start; no file is written; with `ORT_DISABLE_TELEMETRY=1` it answers",
  seconds: { short: 10, full: 10 },
  async run({ seen }) {
    for (const [setting, expected] of [
      [{}, "backend_unavailable"],
      [{ ORT_DISABLE_TELEMETRY: "1" }, "answer"],
    ]) {
      const home = newFolder();
      await mkdir(`${home}/tmp`);
      // In continuous integration the runtime sends nothing: the program must look like a user's.
      const { CI, ORT_DISABLE_TELEMETRY, ORT_RUNNING_UNIT_TESTS, ...others } = process.env;
      const env = { ...others, HOME: home, XDG_CACHE_HOME: home, TMPDIR: `${home}/tmp`, ...setting };
      const { exit, stdout } = await runProgram(SOURCE, { env });
      const outcome = stdout.trim() || exit;
      seen.count(outcome);
      seen.expect(outcome === expected, `it said ${outcome} instead of ${expected}`);
      seen.expect((await readdir(home, { recursive: true })).length === 1, "files were written to the home folder");
    }
  },
};
