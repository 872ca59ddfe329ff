// What a question's own rows are worth besides a lesson: its calibration, the examples that look wrong, and what more examples would bring.
import { calibrationError, columns, randomFrom, sampled } from "../accuracy/library.mjs";
import {
  calibrate,
  fitLesson,
  labelIssuesOf,
  parseQuestion,
  readLesson,
  teach,
  toExtensionFields,
  toOutOfFold,
  Yielder,
} from "./library.mjs";
import { readerOf } from "./readings.mjs";

const NUMBERS = [30, 100, 300];
const RATE = 0.1;
/** Of labels that are changed to another one, and of how many examples. */
const CHANGED = 0.05;
const DOUBTED_OF = 400;
const FIRST = 20;
const FORECAST_FROM = [64, 100, 150];
const TESTS = 100;

const average = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const shown = (value) => value.toFixed(3).replace(/^0/, "");

/**
 * Prints the three tables.
 * @param {object} info of the engine
 * @param {readonly import("./sets.mjs").TaughtSet[]} sets
 * @param {{ draws: number, read: (set: import("./sets.mjs").TaughtSet) => Promise<import("./readings.mjs").Reading[]> }} options
 */
export async function printOwnRows(info, sets, { draws, read }) {
  const [calibrations, doubts, forecasts] = [[], [], []];
  for (const set of sets) {
    const readings = await read(set);
    for (let seed = 1; seed <= draws; seed++) {
      const drawn = { ...set, rows: sampled(readings, readings.length, seed) };
      if (set.isInMean) calibrations.push(...(await calibrated(info, drawn)));
      if (set.isInMean && drawn.rows.length >= DOUBTED_OF) doubts.push(await doubted(info, drawn, seed));
      forecasts.push(...(await forecast(info, drawn)));
    }
    console.error(`${set.name}: done`);
  }
  printCalibrations(calibrations);
  printDoubts(doubts);
  printForecasts(forecasts);
}

async function calibrated(info, { name, question, rows }) {
  const results = [];
  for (const number of NUMBERS) {
    const [examples, tests] = [rows.slice(0, number), rows.slice(number)];
    if (tests.length < TESTS || new Set(examples.map(({ answer }) => answer)).size < 2) continue;
    const lesson = await calibrate(question, examples, readerOf(info, examples), {});
    const { taught } = await readLesson(lesson);
    results.push({
      name,
      type: question.type,
      number,
      before: figuresOf(info, question, tests),
      after: figuresOf(info, question, tests, taught),
    });
  }
  return results;
}

/** Of what answers state: their probabilities, `x_accuracy`, and `x_act` at a rate of errors. */
function figuresOf(info, question, tests, appliedLesson) {
  const parsed = parseQuestion(question);
  const answers = tests.map(({ answer, probabilities, features }) => {
    const p = appliedLesson?.toProbabilities(parsed, probabilities, features) ?? probabilities;
    const right = parsed.criteria.findIndex(({ key }) => key === String(answer));
    const { isRight, probability } = toOutOfFold(0, right, p);
    const fields = toExtensionFields(question.type, p, { calibration: info.calibration, appliedLesson, warnings: [], maxErrorRate: RATE });
    return { isRight, probability, loss: -Math.log(Math.max(1e-12, p[right])), stated: fields.x_accuracy, acts: fields.x_act };
  });
  const acted = answers.filter(({ acts }) => acts);
  return {
    accuracy: average(answers.map(({ isRight }) => Number(isRight))),
    ece: calibrationError(answers),
    logLoss: average(answers.map(({ loss }) => loss)),
    statedError: calibrationError(answers.map(({ isRight, stated }) => ({ isRight, probability: stated }))),
    statedLoss: average(answers.map(({ isRight, stated }) => -Math.log(isRight ? stated : 1 - stated))),
    acted: acted.length / answers.length,
    isKept: acted.length === 0 || acted.filter(({ isRight }) => !isRight).length <= RATE * acted.length,
  };
}

function printCalibrations(results) {
  const heads = ["", "answers", "sets", "", "right", "ECE", "log-loss", "x_accuracy: ECE", "log-loss", `x_act at ${RATE}`, "kept in"];
  const lines = ["choice", "noul", "score"].flatMap((type) =>
    NUMBERS.flatMap((number) => {
      const own = results.filter((result) => result.type === type && result.number === number);
      if (own.length === 0) return [];
      const names = [...new Set(own.map(({ name }) => name))];
      // A set with many draws counts no more than one with few.
      const over = (when, of) => average(names.map((name) => average(own.filter((one) => one.name === name).map((one) => of(one[when])))));
      return ["before", "after"].map((when) => [
        type,
        number,
        names.length,
        when,
        ...["accuracy", "ece", "logLoss", "statedError", "statedLoss", "acted"].map((figure) => shown(over(when, (one) => one[figure]))),
        `${own.filter((one) => one[when].isKept).length} of ${own.length}`,
      ]);
    }),
  );
  console.log(`\nA question's own calibration, before and after\n\n${columns([heads, ...lines].map((line) => line.map(String)))}\n`);
}

/** Labels are changed by chance; how many of the changed ones stand first in lists of doubtful examples? */
async function doubted(info, { name, question, rows }, seed) {
  const random = randomFrom(seed);
  const parsed = parseQuestion(question);
  const keys = parsed.criteria.map(({ key }) => key);
  const changed = new Set(sampled([...rows.slice(0, DOUBTED_OF).keys()], DOUBTED_OF * CHANGED, seed));
  const examples = rows.slice(0, DOUBTED_OF).map(({ answer, probabilities, features }, index) => {
    const others = keys.filter((key) => key !== String(answer));
    const stated = changed.has(index) ? others[Math.floor(random() * others.length)] : String(answer);
    return { index, text: String(index).padStart(16, "0"), answer: keys.indexOf(stated), probabilities, features };
  });
  const { learned, before, after } = await fitLesson(examples, parsed, new Yielder(undefined), () => undefined);
  const found = (list) => list.slice(0, FIRST).filter(({ index }) => changed.has(index)).length;
  const [untaught, thresholds, lesson] = [labelIssuesOf(before), byThresholds(after, keys.length), labelIssuesOf(after)].map(found);
  return { name, learned, untaught, thresholds, lesson };
}

/** As lessons had it before: the stated answer is improbable, and another at least as probable as in examples that state it (Northcutt et al. 2021), by the margin. */
function byThresholds(answers, options) {
  const own = Array.from({ length: options }, (_, k) =>
    answers.filter(({ right }) => right === k).map(({ probabilities }) => probabilities[k]),
  );
  const margin = ({ right, probability, probabilities }) => probabilities[right] - probability;
  return answers
    .filter(({ right, given, isRight, probability, probabilities }) => {
      return !isRight && probabilities[right] < 0.1 && own[given].length > 0 && probability >= average(own[given]);
    })
    .toSorted((a, b) => margin(a) - margin(b));
}

function printDoubts(results) {
  const names = [...new Set(results.map(({ name }) => name))];
  const line = (name, own) => [
    name,
    own.map(({ learned }) => learned).join(", "),
    ...["untaught", "thresholds", "lesson"].map((key) => average(own.map((one) => one[key])).toFixed(1)),
  ];
  const lines = [
    ...names.map((name) =>
      line(
        name,
        results.filter((result) => result.name === name),
      ),
    ),
    line("mean", results),
  ];
  lines.at(-1)[1] = "";
  console.log(
    `${DOUBTED_OF} examples, ${100 * CHANGED}% of them with a changed answer: how many of the first ${FIRST} doubtful ones are such\n\n${columns([["", "learned", "by the model alone", "by the lesson, with thresholds", "by the lesson"], ...lines])}\n`,
  );
}

/** Where nothing is learned from some examples: whether the forecast's interval holds the gain that 2 and 4 times as many bring on tests. */
async function forecast(info, { name, question, rows }) {
  const results = [];
  for (const number of FORECAST_FROM) {
    const tests = rows.slice(4 * number);
    if (tests.length < TESTS) continue;
    const taughtBy = (examples) => teach(question, examples, readerOf(info, examples), {});
    const rightBy = async (lesson) => figuresOf(info, question, tests, (await readLesson(lesson)).taught).accuracy;
    const lesson = await taughtBy(rows.slice(0, number));
    if (lesson.report.forecast === undefined) continue;
    const now = await rightBy(lesson);
    for (const { examples, gain } of lesson.report.forecast) {
      const truth = (await rightBy(await taughtBy(rows.slice(0, examples)))) - now;
      results.push({ name, number, times: examples / number, gain, truth, isIn: truth >= gain.low && truth <= gain.high });
    }
  }
  return results;
}

function printForecasts(results) {
  const lines = [2, 4].map((times) => {
    const own = results.filter((result) => result.times === times);
    const width = average(own.map(({ gain }) => gain.high - gain.low));
    return [
      `${times} times as many`,
      own.length,
      own.filter(({ isIn }) => isIn).length,
      shown(width),
      shown(average(own.map(({ truth }) => truth))),
    ];
  });
  console.log(
    `Forecasts where nothing was learned from ${FORECAST_FROM.join(", ")} examples\n\n${columns([["", "forecasts", "true gain in the interval", "its mean width", "mean true gain"], ...lines].map((line) => line.map(String)))}`,
  );
}
