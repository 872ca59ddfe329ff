// npm run bench:teach [-- --sets trec6 ...]: what teaching makes of the data folder's classification sets, beside what a user would take instead.
// Prints tables; writes results/teach.json and a figure. With --costs: what teaching costs in time and memory instead (bench/teach/costs.mjs).
// With --own-rows: calibrations, doubtful examples and forecasts instead (bench/teach/own-rows.mjs); with --held-out on the sets by which they were chosen.
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { columns } from "./accuracy/library.mjs";
import { printCosts } from "./teach/costs.mjs";
import { learningDrawing } from "./teach/drawing.mjs";
import { prepared, startEmbedder } from "./teach/embeddings.mjs";
import { actedFiguresOf, figuresOfDraw, summarised } from "./teach/figures.mjs";
import { headOnEmbeddings, nearestCentroid, taught, zeroShot } from "./teach/learners.mjs";
import { readHeldOut } from "./teach/held-out.mjs";
import { printOwnRows } from "./teach/own-rows.mjs";
import { openReader } from "./teach/readings.mjs";
import { draw, readSets } from "./teach/sets.mjs";

const RESULTS = fileURLToPath(new URL("results/", import.meta.url));
const NUMBERS = [16, 64, 200];
const SEED = 1;
const RATES = [0.1, 0.05];

const program = new Command("bench:teach")
  .description("Accuracy of taught questions by number of examples, beside zero-shot, sentence embeddings and nearest centroids.")
  .option("--data <folder>", "the data folder", fileURLToPath(new URL("../../shared/data", import.meta.url)))
  .option("--sets <names...>", "only these sets")
  .option("--model <id>", "a pack in models/", "umpire-2")
  .option("--rows <n>", "rows of each set; those that are no examples are tests", Number, 600)
  .option("--draws <n>", "random draws of examples for each set", Number, 2)
  .option("--own-rows", "measure calibrations, doubtful examples and forecasts instead")
  .option("--held-out", "on sets that training never saw, in place of the eval sets")
  .option("--costs", "measure time and memory instead; let nothing else run")
  .parse();
const { data, sets: only, model, rows, draws, costs, ownRows, heldOut } = program.opts();
const TESTS = rows - Math.max(...NUMBERS);
if (!(TESTS > 0)) throw new Error(`--rows must be more than the ${Math.max(...NUMBERS)} examples: the others are the tests.`);

if (costs) await printCosts();
else if (ownRows) await measureOwnRows();
else await measure();

async function measure() {
  const embedder = prepared ? startEmbedder() : undefined;
  if (embedder === undefined) console.error("Without sentence embeddings: run bench/peers/prepare once for them.");
  if (!existsSync(data)) throw new Error("There is no data folder beside the repository. Name it with --data.");
  const reader = await openReader(model, 2);
  const results = [];
  for (const set of await readSets(data, { rows, seed: SEED, only })) {
    const readings = await reader.read(set);
    for (const reading of embedder ? readings : []) reading.embedding = (await embedder.embed(reading.state)).embedding;
    results.push(...(await measureSet(reader.info, set, readings, embedder !== undefined)));
    console.error(`${set.name}: done`);
  }
  embedder?.stop();
  await reader.close();
  await print(results, reader.info.model);
}

async function measureOwnRows() {
  const reader = await openReader(model, 2);
  const sets = await (heldOut ? readHeldOut : readSets)(data, { rows, seed: SEED, only });
  await printOwnRows(reader.info, sets, { draws, read: reader.read });
  await reader.close();
}

async function measureSet(info, { name, isInMean, question }, readings, hasEmbeddings) {
  const results = [];
  for (const number of NUMBERS) {
    for (let seed = 0; seed < draws; seed++) {
      const drawn = draw(readings, { examples: number, tests: TESTS, seed });
      if (drawn === undefined) continue;
      const { examples, tests } = drawn;
      const learners = {
        "zero-shot": () => zeroShot(tests),
        umpire: () => taught(info, question, examples, tests),
        ...(hasEmbeddings && {
          "embeddings, same head": () => headOnEmbeddings(info, question, examples, tests),
          "embeddings, nearest centroid": () => nearestCentroid(question, examples, tests),
        }),
      };
      for (const [learner, answer] of Object.entries(learners)) {
        const answered = await answer();
        const figures = figuresOfDraw(question, tests, answered.probabilities);
        const acted = learner === "umpire" ? RATES.map((rate) => ({ rate, ...actedFiguresOf(question, tests, answered, rate) })) : [];
        const learned = answered.lesson?.report.learned;
        results.push({
          set: name,
          isInMean,
          number,
          seed,
          learner,
          ...figures,
          ...(learned && { learned }),
          ...(acted.length > 0 && { acted }),
        });
      }
    }
  }
  return results;
}

async function print(results, model) {
  const summary = summarised(results);
  const percent = (value) => value.toFixed(3).replace(/^0/, "");
  const points = (value) => `${value < 0 ? "-" : "+"}${Math.abs(100 * value).toFixed(1)}`;
  const rows = summary.map(({ learner, number, sets, accuracy, macroF1, ece, eceByChance, gain, worst }) =>
    [learner, number, sets, percent(accuracy), points(gain), points(worst), percent(macroF1), percent(ece), percent(eceByChance)].map(
      String,
    ),
  );
  const heads = ["", "examples", "sets", "accuracy", "over zero-shot", "worst draw", "macro-F1", "ECE", "by chance"];
  console.log(`\n${model}, ${draws} draws a set, up to ${TESTS} tests each\n\n${columns([heads, ...rows])}\n`);
  const bySet = [...new Set(results.map(({ set }) => set))].map((set) => [
    set,
    ...NUMBERS.flatMap((number) => {
      const own = (learner) => results.filter((result) => result.set === set && result.number === number && result.learner === learner);
      const mean = (learner) => own(learner).reduce((sum, { accuracy }) => sum + accuracy, 0) / own(learner).length;
      return own("umpire").length > 0 ? [`${percent(mean("zero-shot"))} > ${percent(mean("umpire"))}`] : ["-"];
    }),
  ]);
  console.log(`${columns([["set", ...NUMBERS.map((number) => `${number} examples`)], ...bySet])}\n`);
  for (const rate of RATES) {
    const draws200 = results.filter(({ learner, number, isInMean }) => learner === "umpire" && number === 200 && isInMean);
    const acted = draws200.map((result) => result.acted.find((figures) => figures.rate === rate));
    const kept = acted.filter(({ share, errorRate }) => share === 0 || errorRate <= rate).length;
    const share = acted.reduce((sum, figures) => sum + figures.share, 0) / acted.length;
    console.log(
      `maxErrorRate ${rate}, 200 examples: ${percent(share)} of all answers have x_act; at most that share of them is wrong in ${kept} of ${acted.length} draws.`,
    );
  }
  await mkdir(RESULTS, { recursive: true });
  await writeFile(`${RESULTS}teach.json`, `${JSON.stringify({ model, draws, summary, results }, null, 1)}\n`);
  await writeFile(`${RESULTS}teach.svg`, learningDrawing(summary, NUMBERS));
  console.log(`Written: ${RESULTS}teach.json and teach.svg.`);
}
