// npm run bench:bulk -- --rows 20000: decideMany beside the bare engine, in turns in one process, and what memory does over many rows.
// A row has 60 tokens and one question with 5 options. --rows (default 100,000) is the length of the one iteration whose memory is measured; --turns (default
// 50) is how often each contender answers 100 rows; --workers and --threads are the decider's.
import { parseArgs } from "node:util";
import { median } from "simple-statistics";
import { createDecider } from "umpire";
import { EngineSlot, parseRequest, platform, toHypotheses } from "./accuracy/library.mjs";
import { environmentOf, shownEnvironment } from "./environment.mjs";
import { COMPLAINT, openTokens, variantOf } from "./workloads.mjs";

const ROWS_A_TURN = 100;
const TOKENS = 60;
/** From this row on, memory should not grow. */
const FIRST_ROW = 5000;
const MIB = 1024 * 1024;
const QUESTIONS = {
  team: {
    type: "choice",
    instructions: "Which team should handle this?",
    criteria: { billing: "payments and refunds", shipping: "parcels", technical: "bugs and outages", sales: null, other: null },
  },
};

const { values: flags } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    turns: { type: "string", default: "50" },
    workers: { type: "string", default: "1" },
    threads: { type: "string", default: "1" },
  },
});
const [rows, turns, workers, threads] = [flags.rows, flags.turns, flags.workers, flags.threads].map(Number);
/** As many calls as decideMany has in hand, so that no worker waits. */
const inHand = 2 * workers + 1;

const { cut } = await openTokens();
const text = cut(COMPLAINT, TOKENS);
function* states(count) {
  for (let i = 0; i < count; i++) yield variantOf(text, i % 10_000);
}

const decider = await createDecider({ workers, threads, cacheBytes: 0 });
const info = await decider.info();
const batch = toHypotheses(parseRequest({ state: text, questions: QUESTIONS }));
// One slot a worker, each with calls of its own: there is nothing between the loop and the engine.
const slots = await Promise.all(Array.from({ length: workers }, () => openSlot()));

const contenders = { "bare engine": () => runBare(ROWS_A_TURN), decideMany: () => runMany(ROWS_A_TURN) };
const secondsOf = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
// The first turns find cold caches.
for (const run of Object.values(contenders)) await run();
for (let turn = 0; turn < turns; turn++) {
  // Who goes first takes turns, too.
  const inOrder = Object.entries(contenders);
  for (const [name, run] of turn % 2 === 0 ? inOrder : inOrder.reverse()) {
    const start = performance.now();
    await run();
    secondsOf[name].push((performance.now() - start) / 1000);
  }
}
await Promise.all(slots.map((slot) => slot.close()));

console.log(
  `${shownEnvironment(environmentOf(info))}, workers ${workers}; rows of ${TOKENS} tokens, 5 options; ${turns} turns of ${ROWS_A_TURN} rows`,
);
console.table(
  Object.fromEntries(Object.entries(secondsOf).map(([name, all]) => [name, { "rows/s (median)": (ROWS_A_TURN / median(all)).toFixed(1) }])),
);
const shares = secondsOf["bare engine"].map((seconds, turn) => seconds / secondsOf.decideMany[turn]);
console.log(`decideMany has ${(100 * median(shares)).toFixed(1)}% of the bare engine's throughput (median of turns).`);

const memory = await runMany(rows);
const shown = (bytes) => `${(bytes / MIB).toFixed(1)} MiB`;
if (memory === undefined) console.log(`Memory is measured from row ${FIRST_ROW} on: give more --rows.`);
else {
  const { first, last } = memory;
  console.log(`resident memory: ${shown(first)} at row ${FIRST_ROW}, ${shown(last)} at row ${rows}: ${shown(last - first)} more`);
}
await decider.close();

async function openSlot() {
  const [pack] = await platform.builtIn();
  const slot = new EngineSlot(platform, pack.url, { device: "auto", precision: undefined, threads, cacheBytes: 0, inline: false });
  await slot.info();
  return slot;
}

async function runBare(count) {
  const left = states(count);
  const answerRest = async (slot) => {
    for (const state of left) await slot.score({ ...batch, state });
  };
  await Promise.all(Array.from({ length: inHand }, (_, i) => answerRest(slots[i % workers])));
}

/** @returns resident memory in bytes at row 5,000 and at the end */
async function runMany(count) {
  let first;
  for await (const { index, error } of decider.decideMany(states(count), { questions: QUESTIONS })) {
    if (error !== undefined) throw error;
    if (index === FIRST_ROW - 1) first = process.memoryUsage().rss;
  }
  return first === undefined ? undefined : { first, last: process.memoryUsage().rss };
}
