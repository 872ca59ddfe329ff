// `umpire run`, with its bar and without, and decideMany beside the bare engine, in turns; what memory does over many rows; and what a million rows cost.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median, quantile } from "simple-statistics";
import { bareEngine, decideMany } from "./bulk/contenders.mjs";
import { printCosts } from "./bulk/costs.mjs";
import { writeTable } from "./bulk/rows.mjs";
import { RunProcess } from "./bulk/run-process.mjs";
import { environmentOf, shownEnvironment } from "./environment.mjs";

const HELP = `npm run bench:bulk -- [options]

Times umpire run, with its bar and without, decideMany and the bare engine. A row has 60 tokens and one question with 5 options. Each goes on for a block
of rows at its turn, and stands still otherwise. Then umpire run goes on to the last row, and beside it decideMany answers as many, for their memory.
At last, what a million rows cost.

  --turns 15       blocks of each
  --rows 20000     rows of those whose memory is measured; 100000 takes an hour
  --block 500      rows in a turn, and in a block of umpire run
  --workers 1      worker threads of each
  --threads 1      threads of each worker
  --euros 0.01     price of a machine like this one for an hour
  --costs          only what a million rows cost

It needs /proc, and util-linux's script for a terminal.`;

const TOKENS = 60;
const OPTIONS = 5;
/** From this row on, memory should not grow. */
const FIRST_ROW = 5000;
const MIB = 1024 * 1024;
const DEFAULTS = { turns: "15", rows: "20000", block: "500", workers: "1", threads: "1", euros: "0.01" };

const named = Object.entries(DEFAULTS).map(([name, value]) => [name, { type: "string", default: value }]);
const flags = { costs: { type: "boolean", default: false }, help: { type: "boolean", default: false } };
const { values } = parseArgs({ options: { ...Object.fromEntries(named), ...flags } });
const [turns, rows, block, workers, threads, euros] = Object.keys(DEFAULTS).map((name) => Number(values[name]));
if (values.help) console.log(HELP);
else {
  if (!values.costs) await compare();
  await printCosts(euros);
}

async function compare() {
  const folder = await mkdtemp(join(tmpdir(), "umpire-bulk-"));
  const contenders = [];
  try {
    // A block before the first turn finds cold caches; one more keeps a run from ending in the last turn.
    await writeTable(folder, { rows: Math.max(rows, (turns + 2) * block), tokens: TOKENS, options: OPTIONS });
    const settings = { folder, workers, threads, block, tokens: TOKENS, options: OPTIONS, firstRow: FIRST_ROW };
    const many = await decideMany(settings);
    contenders.push(await bareEngine(settings), many);
    for (const isInTerminal of [false, true]) contenders.push(await RunProcess.start({ ...settings, isInTerminal }));
    const [bare, , run, withBar] = contenders;
    await Promise.all([bare, many].map((contender) => contender.answer(block)));
    const seconds = await inTurns(contenders);
    console.log(
      `${shownEnvironment(environmentOf(many.info))}, workers ${workers}; rows of ${TOKENS} tokens, ${OPTIONS} options; ${turns} turns of ${block} rows`,
    );
    const shareOf = (one, of) => median(seconds.get(of).map((time, turn) => time / seconds.get(one)[turn]));
    console.table(
      Object.fromEntries(
        contenders.map((contender) => [
          contender.name,
          {
            "rows/s (median)": (block / median(seconds.get(contender))).toFixed(1),
            "of the bare engine": `${(100 * shareOf(contender, bare)).toFixed(1)}%`,
          },
        ]),
      ),
    );
    const cost = 100 * (1 / shareOf(withBar, run) - 1);
    console.log(`The bar costs ${cost.toFixed(2)}% (median of turns; the quarters lie at ${quarters(seconds, run, withBar)}).`);
    await withBar.close();
    await bare.close();
    await printMemory(many, run);
  } finally {
    for (const contender of contenders) await contender.close();
    await rm(folder, { recursive: true });
  }
}

/** @returns {Promise<Map<object, number[]>>} seconds of each turn */
async function inTurns(contenders) {
  const seconds = new Map(contenders.map((contender) => [contender, []]));
  for (let turn = 0; turn < turns; turn++) {
    // Who goes first takes turns, too.
    const first = turn % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const start = performance.now();
      await contender.answer(block);
      seconds.get(contender).push((performance.now() - start) / 1000);
    }
  }
  return seconds;
}

function quarters(seconds, run, withBar) {
  const costs = seconds.get(run).map((time, turn) => 100 * (seconds.get(withBar)[turn] / time - 1));
  return [0.25, 0.75].map((share) => `${quantile(costs, share).toFixed(2)}%`).join(" and ");
}

async function printMemory(many, run) {
  if (rows <= FIRST_ROW) {
    console.log(`Memory is measured from row ${FIRST_ROW} on: give more --rows.`);
    return;
  }
  let first;
  const note = (row) => {
    if (row === FIRST_ROW) first = process.memoryUsage().rss;
  };
  await Promise.all([many.answer(rows, note), run.finish()]);
  const shown = (bytes) => `${(bytes / MIB).toFixed(1)} MiB`;
  const told = (name, from, to) =>
    console.log(`${name}: ${shown(from)} resident at row ${FIRST_ROW}, ${shown(to)} at row ${rows}: ${shown(to - from)} more`);
  told(many.name, first, process.memoryUsage().rss);
  told(run.name, run.firstBytes, run.lastBytes);
}
