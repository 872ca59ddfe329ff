// npm run accuracy [-- file]: measures accuracy and calibration, on the data folder's eval sets or on a file of your own.
// Prints tables; writes results/accuracy.json and two figures.
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { DecideError } from "umpire";
import { readDataFolder } from "./accuracy/data-folder.mjs";
import { reliabilityDrawing, riskCoverageDrawing } from "./accuracy/drawings.mjs";
import { environment } from "./accuracy/environment.mjs";
import { ToolError, badInput } from "./accuracy/library.mjs";
import { measureModel } from "./accuracy/measure.mjs";
import { modelsToMeasure } from "./accuracy/models.mjs";
import { readQuestions } from "./accuracy/read-questions.mjs";
import { isComparable, readRecorded } from "./accuracy/recorded.mjs";
import { chanceReportOf, reportOf } from "./accuracy/report.mjs";
import { promisesTable, setsTable, summaryTable } from "./accuracy/table.mjs";

const placeOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const DEFAULT_DATA = placeOf("../../shared/data");

const wholeNumber = (least) => (text) => {
  if (!/^\d+$/.test(text) || Number(text) < least) throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
  return Number(text);
};

const program = new Command("accuracy")
  .description("Measures accuracy and calibration through the library's public API, in int8.")
  .argument("[file]", "a .jsonl or .jsonl.gz file of {text, label} or {state, questions} rows (default: all eval sets of the data folder)")
  .option("--data <folder>", "the data folder (default: ../shared/data beside the repository)")
  .option("--instructions <question>", "the question to ask about every text of a {text, label} file")
  .option("--model <id>", "a model to measure; may be repeated (default: latest)", (id, ids = []) => [...ids, id])
  .option("--rows <n>", "maximum number of rows per set", wholeNumber(1), 1000)
  .option("--seed <n>", "seed for choosing the rows", wholeNumber(0), 7)
  .option("--flips <rows>", "rows per set to ask again in fp32; 0 for none", wholeNumber(0), 300)
  .option("--long <rows>", "rows to ask again inside states of four windows; 0 for none", wholeNumber(0), 150)
  .option("--deciders <n>", "number of single-threaded deciders to run in parallel", wholeNumber(1), Math.min(availableParallelism(), 8))
  .option("--out <folder>", "folder for the results (default: bench/results)")
  .exitOverride();

try {
  program.parse();
  await main(program.args[0], program.opts());
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

async function main(file, { data, instructions, model = [], out = placeOf("results"), ...options }) {
  if (file === undefined && instructions !== undefined) throw badInput("--instructions goes with a file.");
  if (file !== undefined && data !== undefined) throw badInput("Give a file or --data, not both.");
  const sets =
    file === undefined ? await readDataFolder(dataFolder(data)) : { questions: [await readQuestions(file, instructions)], nli: [] };
  const settings = file === undefined ? options : { ...options, long: 0 };
  const say = (line) => process.stderr.write(`${line}\n`);
  const measured = [];
  for (const id of await modelsToMeasure(model)) measured.push(await measureModel(id, sets, settings, say));
  const reports = measured.map(reportOf);
  const chance = chanceReportOf(measured[0]);
  const name = file === undefined ? "accuracy" : `accuracy-${basename(file).replace(/\.jsonl(\.gz)?$/, "")}`;
  const about = await environment(settings);
  const pilot = await readRecorded();
  const recorded = isComparable(pilot, about.settings, chance.sets) ? pilot : undefined;
  await write(out, name, { ...about, ...(recorded && { recorded }), chance, models: reports }, reports[0]);
  print(reports, chance, recorded);
  if (file === undefined && !recorded)
    say(`${pilot.model.id}'s recorded figures are left out: they are of other sets or settings (${JSON.stringify(pilot.settings)}).`);
  say(`Written: ${resolve(out, `${name}.json`)} and two figures beside it.`);
}

function dataFolder(given) {
  if (given !== undefined) return given;
  if (existsSync(DEFAULT_DATA)) return DEFAULT_DATA;
  throw badInput("There is no data folder beside the repository. Name it with --data, or give a file.");
}

async function write(folder, name, results, first) {
  await mkdir(folder, { recursive: true });
  const files = {
    [`${name}.json`]: `${JSON.stringify(results, null, 2)}\n`,
    [`${name}-reliability.svg`]: reliabilityDrawing(first.model.id, first.curves),
    [`${name}-risk-coverage.svg`]: riskCoverageDrawing(first.model.id, first.curves),
  };
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
}

function print(reports, chance, recorded) {
  for (const each of reports) {
    const { id, releaseDate, precision } = each.model;
    console.log(`\n${id} (${releaseDate}), ${precision}\n\n${setsTable(each, chance)}`);
    if (each.promises.length > 0) console.log(`\n${promisesTable(each)}`);
  }
  console.log(`\n${summaryTable(reports, chance, recorded)}\n`);
  console.log(
    "ECE: 15 bins, of the answer's probability, then of x_accuracy, the share of right answers that it states. at 80%, at 50%: accuracy of the most confident answers, ranked by the answer's probability. flips: answers that differ in fp32.",
  );
  if (recorded) console.log(`${recorded.model.id}: recorded figures, from ${recorded.source}.`);
}

/** The same exit codes as the command line: 1 failed, 2 bad input. */
function exitCodeOf(error) {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const known = error instanceof ToolError || DecideError.isInstance(error);
  console.error(known ? `accuracy: ${error.message}` : error);
  return error.exitCode === 2 || error.code === "model_not_found" ? 2 : 1;
}
