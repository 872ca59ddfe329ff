import { optionsQuestion, requestOf } from "../requests.mjs";

const PATIENCE_MS = 1500;
const body = requestOf({ which: optionsQuestion(255, 230) });

/** One key always has one request that takes longer than a request may, and is not charged for it. */
export const longRuns = {
  name: "one key, always one request that runs into its time limit",
  promise: "another key's p99 in 2 s, none of its requests refused",
  isHeavy: true,
  needs: { keys: ["honest", "attacker"] },
  // The model needs it for so many options.
  allows: { growthMb: 512 },
  seconds: { short: 15, full: 45 },
  async run({ target, seen, isOver }) {
    while (!isOver()) seen.reply(await target.ask(body));
  },
};

/** The same, but the client hangs up before its request has ended. */
export const abandonedRuns = {
  name: "one key, long requests that it hangs up on",
  promise: "another key's p99 in 2 s, none of its requests refused",
  isHeavy: true,
  needs: { keys: ["honest", "attacker"] },
  allows: { growthMb: 512 },
  seconds: { short: 6, full: 30 },
  async run({ target, seen, isOver }) {
    while (!isOver()) seen.reply(await target.ask(body, { signal: AbortSignal.timeout(PATIENCE_MS) }));
  },
};
