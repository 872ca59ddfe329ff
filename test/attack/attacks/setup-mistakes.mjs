import { newSecret } from "../markers.mjs";
import { runProgram } from "../program.mjs";

export const openKeyFile = {
  name: "a key file that everyone may write",
  promise: "a warning in the log",
  needs: { keys: ["honest", "attacker"], keyFileMode: 0o666 },
  seconds: { short: 1, full: 1 },
  async run({ target, seen }) {
    seen.tries++;
    const isTold = target.lines.some(({ level, message }) => /warn|40/.test(level) && /key/.test(message));
    seen.expect(isTold, "the log says nothing");
  },
};

export const keyNamesInMetrics = {
  name: "key names in `/metrics`, read without a key",
  promise: "no names of keys",
  needs: { keys: ["honest", "nameofakey"], flags: ["--metrics-by-key"], env: { UMPIRE_METRICS_SECRET: newSecret() } },
  seconds: { short: 1, full: 1 },
  async run({ target, seen }) {
    await target.ask({ model: "latest" }, { key: "nameofakey" });
    const reply = await target.get("/metrics");
    seen.reply(reply, [200, 401]);
    seen.expect(!reply.text.includes("nameofakey"), "a name of a key");
  },
};

const SOURCE = `
  import { createDecider } from "umpire";
  import { createHandler } from "umpire/http";
  const decider = createDecider();
  const handler = createHandler({ decider });
  const { signal } = new AbortController();
  const request = { state: "s", questions: { q: { type: "noul", instructions: "?" } } };
  const body = JSON.stringify({ model: "latest", ...request });
  const ask = () => decider.decide(request, { signal });
  const post = () => handler("http://localhost/decision/v1/model", { method: "POST", headers: { "content-type": "application/json" }, body, signal });
  await Promise.all(Array.from({ length: 30 }, ask));
  await Promise.all(Array.from({ length: 30 }, post));
  await decider.close();`;

export const oneSignal = {
  name: "60 calls with one AbortSignal",
  promise: "no warning",
  seconds: { short: 5, full: 5 },
  async run({ seen }) {
    seen.tries = 60;
    const { exit, stderr } = await runProgram(SOURCE);
    seen.expect(exit === 0 && stderr === "", `it ended with ${exit}: ${stderr.slice(0, 100)}`);
  },
};
