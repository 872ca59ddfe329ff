// What a million rows cost on this machine, by `umpire run` as it is without flags: tokens, hours, euros, and what reading the rows alone takes.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeTable } from "./rows.mjs";
import { CLI } from "./run-process.mjs";

const MILLION = 1e6;
/** Tokens of a text, options of a question, and so many rows that each kind takes about as long. */
const KINDS = [
  { tokens: 30, options: 2, rows: 3000 },
  { tokens: 60, options: 5, rows: 2000 },
  { tokens: 60, options: 10, rows: 1500 },
  { tokens: 250, options: 5, rows: 700 },
  { tokens: 1000, options: 5, rows: 200 },
];

/** @param {number} eurosAnHour price of a machine like this one */
export async function printCosts(eurosAnHour) {
  const table = [];
  for (const kind of KINDS) {
    const { rows, inputTokens, seconds, rowsPerSecond } = await inFolder(kind, (folder) => run(folder));
    const hours = ((seconds / rows) * MILLION) / 3600;
    table.push({
      "tokens of a text": kind.tokens,
      options: kind.options,
      "tokens of a row": Math.round(inputTokens / rows),
      "rows/s": rowsPerSecond.toFixed(1),
      "hours a million": hours.toFixed(1),
      "euros a million": (hours * eurosAnHour).toFixed(2),
    });
  }
  console.log(`umpire run, without flags; a machine like this one at ${eurosAnHour} euros an hour:`);
  console.table(table);
  console.log(
    `Reading alone: ${Math.round(await rowsReadPerSecond()).toLocaleString("en-US")} rows/s of ${KINDS[1].tokens} tokens from CSV.`,
  );
}

/** A shard that has no block of the rows reads them all. The start is that of a run over few rows. */
async function rowsReadPerSecond() {
  const rows = 300_000;
  const secondsOf = (count) =>
    inFolder({ ...KINDS[1], rows: count }, async (folder) => {
      const startMs = performance.now();
      await run(folder, "--shard", "999999/999999", "--quiet");
      return (performance.now() - startMs) / 1000;
    });
  return rows / ((await secondsOf(rows + 1)) - (await secondsOf(1)));
}

async function inFolder(kind, work) {
  const folder = await mkdtemp(join(tmpdir(), "umpire-bulk-"));
  try {
    await writeTable(folder, kind);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @returns the summary */
async function run(folder, ...flags) {
  const args = [CLI, "run", `${folder}/questions.json`, `${folder}/rows.csv`, "--out", `${folder}/answers.jsonl`, ...flags];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}
