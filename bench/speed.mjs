// npm run bench [-- --quick | --full] [--only <parts...>] [--write]: how fast umpire is, beside what a user would take instead, and beside what the machine
// can do at most. Prints tables; writes results/speed.json. Run bench/peers/prepare once before.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { columns } from "./accuracy/library.mjs";
import { shownEnvironment } from "./environment.mjs";
import { prepared } from "./peer.mjs";
import { PARTS, measure } from "./speed/measure.mjs";
import { writePapers } from "./speed/papers.mjs";
import { BASE, hasBase } from "./speed/models.mjs";
import * as tables from "./speed/tables.mjs";

const RESULTS = new URL("results/", import.meta.url);

const program = new Command("bench")
  .description(
    "Speed beside transformers.js, a loop over the same model, the request's bare products, and the machine's peak. Let nothing else run.",
  )
  .addOption(new Option("--quick", "the targets alone, in some four minutes").conflicts("full"))
  .option("--full", "every number of options with every length and every number of questions; takes hours")
  .addOption(new Option("--only <parts...>", "only these parts").choices(PARTS))
  .option("--from <file>", "show an earlier run's results instead of measuring")
  .option("--write", "write the tables and figures of docs/, README.md and bench/LOG.md")
  .parse();
const { quick, full, only, from, write } = program.opts();
if (write && (quick || only)) program.error("error: the papers show a whole run: --write goes neither with --quick nor with --only");

const results = from === undefined ? await measured() : JSON.parse(await readFile(from, "utf8"));
show(results);
if (write) await writePapers(results);

async function measured() {
  process.env.ORT_DISABLE_TELEMETRY ??= "1";
  if (!prepared || (hasBase && !BASE.peer.prepared))
    console.error("A peer to compare with is missing. Run bench/peers/prepare, then try again. The other figures follow.");
  const startMs = performance.now();
  const tell = (text) => console.error(`${((performance.now() - startMs) / 1000).toFixed(0).padStart(5)} s  ${text}`);
  const extent = quick ? "quick" : full ? "full" : "usual";
  const all = await measure({ extent, parts: only ?? PARTS, tell });
  tell("done");
  await mkdir(RESULTS, { recursive: true });
  await writeFile(new URL("speed.json", RESULTS), `${JSON.stringify(all, null, 2)}\n`);
  return all;
}

function show(all) {
  showModel(all);
  if (all.secondQuestion) print("A state that is read already", tables.readingTable(all));
  if (all.callers) print("Callers in flight", tables.callersTable(all));
  if (all.base) {
    console.log();
    showModel(all.base);
  }
  print("Targets", tables.targetTable(all));
}

function print(title, table) {
  console.log(`\n${title}\n\n${columns(table)}`);
}

/** What is measured of each model. */
function showModel(one) {
  const { environment, notes = [], cells = [] } = one;
  if (environment) console.log(shownEnvironment(environment));
  for (const note of notes) console.log(note);
  if (one.peak) print("Peak: large products", tables.peakTable(one));
  if (cells.length > 0) {
    print("Warm: one call after the other; in brackets, times as long as umpire takes", tables.warmTable(one));
    print("One call a turn: the caches hold another contender's weights", tables.firstTable(one));
    for (const note of tables.notesOf(cells)) console.log(note);
  }
  if (one.starts) print("Starts", tables.startTable(one));
}
