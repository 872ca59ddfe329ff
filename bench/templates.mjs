// npm run bench:templates -- <pack> <data folder>: which hypothesis suits a pair model best, and how the windows of a long state become one score.
// The pack must have been added with --template "{option}". Only train folders of the data are read: what is chosen here is never tuned on eval.
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { mean, sum } from "simple-statistics";
import { createDecider } from "umpire";
import { columns, parseRequest, sampled, toBatch } from "./accuracy/library.mjs";
import { readQuestions } from "./accuracy/read-questions.mjs";

const ROWS_A_SET = 6;
const ROWS_OF_DECISIONS = 8;
const MAX_OPTIONS = 20;
const MAX_CHARACTERS = 1200;
const SEED = 5;

const CANDIDATES = {
  choice: [
    "{option}",
    "{option}.",
    "This is about {option}.",
    "This text is about {option}.",
    "This example is {option}.",
    "This is {option}.",
    "{instructions} {option}",
    "{instructions} {option}.",
    "{instructions} The answer is {option}.",
    'The answer to "{instructions}" is {option}.',
  ],
  noul: [
    "{instructions} {option}",
    "{instructions} {option}.",
    "{instructions} The answer is {option}.",
    'The answer to "{instructions}" is {option}.',
    "{option}: {instructions}",
  ],
  score: [
    "{option}",
    "This is {option}.",
    "{instructions} {option}",
    "{instructions} {option}.",
    "{instructions} The answer is {option}.",
    'The answer to "{instructions}" is {option}.',
  ],
};

const [packFolder, data] = process.argv.slice(2);
if (data === undefined) {
  console.error("Usage: node bench/templates.mjs <pack> <data folder>");
  process.exit(2);
}
const decider = await createDecider({ model: pathToFileURL(`${resolve(packFolder)}/`) });

/** One question with the texts that the model reads, and the index of its right option. */
function asked(set, { state, questions, truths }) {
  const request = parseRequest({ state, questions });
  const read = toBatch(request).questions;
  return request.questions.map(({ id, type, criteria }, i) => {
    const truth = truths[id] === "yes" ? "true" : truths[id] === "no" ? "false" : truths[id];
    const { instructions, options } = read[i];
    return {
      set,
      type,
      state: request.state,
      instructions,
      options: options.map(({ text }) => text),
      answer: criteria.findIndex(({ key }) => key === truth),
    };
  });
}

const filled = (template, instructions, option) =>
  template.replaceAll(/\{(instructions|option)\}/g, (_, name) => (name === "option" ? option : instructions)).trim();

/** Natural logarithms of the options' probabilities. Keys that only point at their description are not read. */
async function logProbabilities(state, hypotheses) {
  const criteria = Object.fromEntries(hypotheses.map((text, i) => [`o${i}`, text]));
  const { answers } = await decider.decide({ state, questions: { q: { type: "choice", instructions: "", criteria } } });
  return hypotheses.map((_, i) => Math.log(Math.max(answers.q.probabilities[`o${i}`], 1e-30)));
}

const likeliest = (scores) => scores.indexOf(Math.max(...scores));

async function questionsIn(folder, rows) {
  const files = (await readdir(folder)).filter((file) => /\.jsonl(\.gz)?$/.test(file) && !file.startsWith("public"));
  const all = [];
  for (const file of files) {
    const { name, cases } = await readQuestions(join(folder, file));
    all.push(...sampled(cases, rows, SEED).flatMap((one) => asked(name, one)));
  }
  return all.filter(({ options, answer }) => answer >= 0 && options.length <= MAX_OPTIONS);
}

const cls = await questionsIn(join(data, "cls/train"), ROWS_A_SET);
const decisions = await questionsIn(join(data, "decisions/train"), ROWS_OF_DECISIONS);
const short = [...cls, ...decisions].filter(({ state }) => state.length <= MAX_CHARACTERS);

/** Mean accuracy over sets of classification, over all decisions, and the mean of the two. */
function figures(rows) {
  const isSet = new Set(cls.map(({ set }) => set));
  const ofDecisions = rows.filter(({ set }) => !isSet.has(set)).map(({ right }) => right);
  const sets = Map.groupBy === undefined ? grouped(rows) : Map.groupBy(rows, ({ set }) => set);
  const bySet = [...sets].filter(([set]) => isSet.has(set)).map(([, of]) => mean(of.map(({ right }) => right)));
  const shown = (values) => (values.length === 0 ? "" : mean(values).toFixed(3));
  return [shown(bySet), shown(ofDecisions), String(rows.length)];
}

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.set, [...(groups.get(row.set) ?? []), row]);
  return groups;
}

for (const [type, templates] of Object.entries(CANDIDATES)) {
  const questions = short.filter((question) => question.type === type);
  const table = [[type, "classification", "decisions", "questions"]];
  for (const template of templates) {
    const rows = [];
    for (const { set, state, instructions, options, answer } of questions) {
      const scores = await logProbabilities(
        state,
        options.map((option) => filled(template, instructions, option)),
      );
      rows.push({ set, right: Number(likeliest(scores) === answer) });
    }
    table.push([template, ...figures(rows)]);
  }
  console.log(`${columns(table)}\n`);
}

await decider.close();
