import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { newSecret } from "../markers.mjs";
import { optionsQuestion, requestOf, stateOf } from "../requests.mjs";

const CALLERS = 64;
const body = JSON.stringify(requestOf({ which: optionsQuestion(10, 5) }, stateOf(140)));
/** A flood of refusals needs no more than this to be one. */
const PAUSE_MS = 10;

async function flood({ isOver }, ask) {
  const agent = new Agent({ keepAlive: true });
  const caller = async (i) => {
    while (!isOver()) {
      await ask(agent, i);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, i) => caller(i)));
  agent.destroy();
}

export const keyFlood = {
  name: "one key with 64 requests at a time",
  promise: "200 or 429; another key's p99 in 2 s, none of its requests refused",
  isHeavy: true,
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 4, full: 30 },
  run: (tools) => flood(tools, async (agent) => tools.seen.reply(await tools.target.ask(body, { agent }), [200, 429])),
};

const WRONG = [
  (secret) => `Bearer ${newSecret()}${secret.length}`,
  (secret) => `Bearer ${secret.slice(0, -1)}`,
  (secret) => `Bearer ${secret} `.repeat(2),
  (secret) => `Basic ${secret}`,
  (secret) => secret,
  () => "",
  () => "Bearer",
  () => "Bearer ",
  () => `Bearer ${newSecret().repeat(100)}`,
];

export const wrongKeys = {
  name: "64 callers with wrong keys",
  promise: "401, no key in a log or a reply; another key's p99 in 2 s",
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 3, full: 20 },
  run: (tools) =>
    flood(tools, async (agent, i) => {
      const authorization = WRONG[i % WRONG.length](tools.target.secrets[tools.target.key]);
      tools.seen.reply(await tools.target.ask(body, { key: "", agent, headers: { authorization } }), [401]);
    }),
};

const PATHS = [
  "/../../etc/passwd",
  "/%2e%2e/%2e%2e/etc/passwd",
  "/decision/v1/model/../../../keys.json",
  "/%00",
  "/%ff",
  "//",
  `/${"a".repeat(8000)}`,
];
const METHODS = ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD"];

export const oddPaths = {
  name: "odd paths and methods",
  promise: "a 4xx, or 204 for OPTIONS",
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 1, full: 5 },
  async run({ target, seen, isOver }) {
    do {
      for (const path of PATHS) seen.reply(await target.get(path, { headers: target.headersOf() }), [400, 404, 414, 431]);
      for (const method of METHODS) seen.reply(await target.ask("", { method }), [204, 400, 404, 405, 501]);
    } while (!isOver());
  },
};
