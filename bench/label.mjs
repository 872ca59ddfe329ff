// npm run bench:label [-- --sets imdb ...]: how many answers it takes until half of the rest can be acted on, with rows chosen as `umpire label` chooses them, and by
// chance; and whether the promise holds on the rows without an answer. Answers are those of the sets. With --held-out on the sets by which the strategy was chosen.
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { columns, randomFrom } from "./accuracy/library.mjs";
import { readHeldOut } from "./teach/held-out.mjs";
import { drawRow, Likeness, parseQuestion, readLesson, teach, thresholdFor } from "./teach/library.mjs";
import { openReader, readerOf } from "./teach/readings.mjs";
import { readSets } from "./teach/sets.mjs";

const SETS = ["bbc_news", "imdb", "medical_abstracts", "openai_moderation_category", "stackoverflow_titles", "tweet_sentiment"];
const EVERY = 8;
const SEED = 1;

const program = new Command("bench:label")
  .description("Answers needed until half of the rest can be acted on, with rows chosen by umpire label, and by chance.")
  .option("--data <folder>", "the data folder", fileURLToPath(new URL("../../shared/data", import.meta.url)))
  .option("--sets <names...>", "only these sets")
  .option("--model <id>", "a pack in models/", "umpire-2")
  .option("--rows <n>", "rows of each set", Number, 800)
  .option("--answers <n>", "answers at most", Number, 240)
  .option("--draws <n>", "times that it is tried with each set", Number, 5)
  .option("--rate <share>", "the error rate that is promised", Number, 0.1)
  .option("--held-out", "on sets that training never saw, in place of the eval sets")
  .parse();
const { data, sets: only, model, rows, answers, draws, rate, heldOut } = program.opts();
/** By name: the share of rows that are drawn by chance alone. */
const STRATEGIES = { chosen: undefined, "by chance": 1 };

const reader = await openReader(model, 2);
const sets = heldOut ? await readHeldOut(data, { rows, seed: SEED, only }) : await readSets(data, { rows, seed: SEED, only: only ?? SETS });
const lines = [];
for (const set of sets) {
  const readings = await reader.read(set);
  for (const [name, strategy] of Object.entries(STRATEGIES)) {
    const tries = [];
    for (let seed = 1; seed <= draws; seed++) tries.push(await tried(set, readings, strategy, randomFrom(seed)));
    lines.push([set.name, name, tries]);
    console.error(cellsOf(lines.at(-1)).join("  "));
  }
}
await reader.close();
print();

/** One person's answers. */
async function tried({ question }, readings, strategy, random) {
  const parsed = parseQuestion(question);
  const keys = parsed.criteria.map(({ key }) => key);
  const isRight = (row, p) => keys[p.indexOf(Math.max(...p))] === String(readings[row].answer);
  const likeness = new Likeness();
  likeness.center(readings.map(({ features }) => features));
  for (const [row, { features }] of readings.entries()) likeness.add(row, features);
  const left = new Set(readings.keys());
  const asked = [];
  let [lesson, probabilities] = [undefined, readings.map((reading) => reading.probabilities)];
  const result = { half: undefined, kept: [], share: 0, accuracy: 0, ms: [] };
  while (asked.length < answers && left.size > 0) {
    const from = [...left];
    const candidates = from.map((row) => ({ probabilities: probabilities[row], likeness: likeness.of(row) }));
    const { index, weight } = drawRow(candidates, (p) => 1 - (lesson?.accuracyOf(p) ?? p), rate, random, strategy);
    asked.push({ row: from[index], weight });
    left.delete(from[index]);
    likeness.answered(from[index]);
    if (asked.length % EVERY !== 0) continue;
    const startMs = performance.now();
    const examples = asked.map(({ row, weight }) => ({ state: readings[row].state, answer: readings[row].answer, weight }));
    lesson = (await readLesson(await teach(question, examples, readerOf(reader.info, readings), {}))).taught;
    result.ms.push(performance.now() - startMs);
    probabilities = readings.map((reading) => lesson.toProbabilities(parsed, reading.probabilities, reading.features));
    const threshold = thresholdFor(lesson.risk, rate) ?? Infinity;
    const rest = [...left].map((row) => ({ p: Math.max(...probabilities[row]), isRight: isRight(row, probabilities[row]) }));
    const acted = rest.filter(({ p }) => p >= threshold);
    const wrong = acted.filter((one) => !one.isRight).length;
    Object.assign(result, { share: acted.length / rest.length, accuracy: rest.filter((one) => one.isRight).length / rest.length });
    if (acted.length > 0) result.kept.push(wrong <= rate * acted.length);
    if (result.half === undefined && acted.length >= rest.length / 2) result.half = { answers: asked.length, isKept: result.kept.at(-1) };
    result.isKept = result.kept.at(-1);
  }
  return result;
}

function average(values) {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function cellsOf([set, name, tries]) {
  const halves = tries.map(({ half }) => half?.answers ?? `>${answers}`);
  const reached = tries.filter(({ half }) => half !== undefined);
  const acting = tries.filter(({ isKept }) => isKept !== undefined);
  const kept = tries.flatMap((one) => one.kept);
  return [
    set,
    name,
    halves.join(" "),
    `${reached.filter(({ half }) => half.isKept).length} of ${reached.length}`,
    average(tries.map(({ share }) => share)).toFixed(2),
    `${acting.filter(({ isKept }) => isKept).length} of ${acting.length}`,
    `${kept.filter(Boolean).length} of ${kept.length}`,
    average(tries.map(({ accuracy }) => accuracy)).toFixed(3),
    average(tries.flatMap(({ ms }) => ms)).toFixed(0),
  ];
}

function print() {
  const heads = [
    "set",
    "rows",
    "answers until half",
    "kept",
    `share at ${answers}`,
    "kept",
    "kept, all rounds",
    "right of the rest",
    "ms to teach",
  ];
  console.log(`\n${model}, at most ${rate} wrong, ${rows} rows, ${draws} draws\n\n${columns([heads, ...lines.map(cellsOf)])}`);
  for (const name of Object.keys(STRATEGIES)) {
    const tries = lines.filter(([, own]) => own === name).flatMap(([, , all]) => all);
    const needed = tries.map(({ half }) => half?.answers ?? answers);
    const kept = tries.flatMap((one) => one.kept);
    console.log(
      `${name}: ${average(needed).toFixed(0)} answers on average until half (${answers} where it never was), reached in ${tries.filter(({ half }) => half).length} of ${tries.length}; ` +
        `promise kept in ${kept.filter(Boolean).length} of ${kept.length} rounds, and at ${answers} answers in ${tries.filter(({ isKept }) => isKept).length} of ${tries.filter(({ isKept }) => isKept !== undefined).length}; ` +
        `right of the rest ${average(tries.map(({ accuracy }) => accuracy)).toFixed(3)}`,
    );
  }
}
