// npm run bench:promise -- --data <folder> [--model <id>]: whether x_act keeps its promise for each question. Asks questions of the data folder's eval sets,
// which no threshold was fitted on, each of many texts; prints how many questions keep each error rate, and how many answers may be acted on.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDecider } from "umpire";
import { columns, outcomeOf, randomFrom, readRows, sampled, toExtensionFields } from "./accuracy/library.mjs";

const RATES = [0.05, 0.1, 0.2];
/** Texts that a question is asked of, at most, and at least. */
const TEXTS = 80;
const MIN_TEXTS = 20;
/** Questions of a set with two to five of its options, and with six to ten, where it has more. */
const PARTS = [
  { least: 2, most: 2, count: 2 },
  { least: 3, most: 5, count: 3 },
  { least: 6, most: 10, count: 2 },
];

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    model: { type: "string", default: "umpire-2" },
    each: { type: "boolean", default: false },
  },
});
const written = JSON.parse(await readFile(new URL("promise/questions.json", import.meta.url), "utf8"));
const decider = createDecider({ model: values.model });
const { model, calibration } = await decider.info();
const asked = [];
for (const [set, questions] of Object.entries(written)) {
  const place = join(values.data, "cls", "eval", set);
  const rows = (await readRows(`${place}.jsonl.gz`)).map(({ value }) => value);
  const described = JSON.parse(await readFile(`${place}.labels.json`, "utf8").catch(() => "{}"));
  const ofSet = [...choices(set, rows, described, questions.choose), ...yesNos(set, rows, questions.yesNo)];
  asked.push(...(await answered(ofSet)));
  process.stderr.write(`${set}: ${ofSet.length} questions\n`);
}
await decider.close();

const kinds = [
  ["yes/no", ({ type }) => type === "noul"],
  ["choice, 2 options", ({ type, options }) => type === "choice" && options === 2],
  ["choice, 3-5", ({ type, options }) => type === "choice" && options > 2 && options <= 5],
  ["choice, 6-10", ({ type, options }) => type === "choice" && options > 5 && options <= 10],
  ["choice, 11 and more", ({ type, options }) => type === "choice" && options > 10],
  ["all", () => true],
];
const head = [
  model,
  "questions",
  "answers",
  "right",
  ...RATES.flatMap((rate) => [`${rate}: acted on`, "wrong", "questions with any", "that keep it"]),
];
const lines = kinds.flatMap(([name, isIn]) => {
  const of = asked.filter(isIn);
  if (of.length === 0) return [];
  const answers = of.flatMap((question) => question.answers);
  const cells = RATES.flatMap((rate, i) => {
    const acted = answers.filter(({ acts }) => acts[i]);
    const promised = of.filter((question) => question.answers.some(({ acts }) => acts[i]));
    const kept = promised.filter((question) => errorRate(question, i) <= rate);
    return [
      share(acted.length, answers.length),
      share(acted.filter(({ isRight }) => !isRight).length, acted.length),
      String(promised.length),
      share(kept.length, promised.length),
    ];
  });
  return [
    [name, String(of.length), String(answers.length), share(answers.filter(({ isRight }) => isRight).length, answers.length), ...cells],
  ];
});
console.log(columns([head, ...lines]));
if (values.each)
  for (const question of asked)
    console.log(
      `${question.set}, ${question.question.instructions} (${question.options}): ${RATES.map((rate, i) => `${rate}: ${question.answers.filter(({ acts }) => acts[i]).length} acted on, wrong ${share(errorRate(question, i), 1)}`).join("; ")}`,
    );

function errorRate({ answers }, i) {
  const acted = answers.filter(({ acts }) => acts[i]);
  return acted.filter(({ isRight }) => !isRight).length / acted.length;
}

function share(part, all) {
  return all === 0 || Number.isNaN(part) ? "-" : (part / all).toFixed(3);
}

/** As many texts with yes as with no. */
function* yesNos(set, rows, byLabel) {
  for (const [label, wordings] of Object.entries(byLabel))
    for (const [seed, instructions] of wordings.entries()) {
      const yes = sampled(
        rows.filter((row) => row.label === label),
        TEXTS / 2,
        seed,
      );
      const no = sampled(
        rows.filter((row) => row.label !== label),
        yes.length,
        seed,
      );
      const cases = [...yes, ...no].map(({ text, label: right }) => ({ state: text, truth: right === label ? "yes" : "no" }));
      if (cases.length >= MIN_TEXTS) yield { set, type: "noul", options: 2, question: { type: "noul", instructions }, cases };
    }
}

/** Every option has about as many texts. */
function* choices(set, rows, described, instructions) {
  const labels = [...new Set(rows.map(({ label }) => label))].sort();
  const of = (kept, seed) => {
    const each = Math.max(1, Math.floor(TEXTS / kept.length));
    const cases = kept.flatMap((label) =>
      sampled(
        rows.filter((row) => row.label === label),
        each,
        seed,
      ),
    );
    const criteria = Object.fromEntries(kept.map((label) => [label, described[label] ?? null]));
    return {
      set,
      type: "choice",
      options: kept.length,
      question: { type: "choice", instructions, criteria },
      cases: cases.map(({ text, label }) => ({ state: text, truth: label })),
    };
  };
  yield of(labels, 0);
  const random = randomFrom(labels.length);
  for (const { least, most, count } of PARTS)
    for (let i = 0; i < count && labels.length > least; i++) {
      const size = least + Math.floor(random() * (Math.min(most, labels.length - 1) - least + 1));
      yield of(sampled(labels, size, i), i);
    }
}

/** All questions about a text are one request. */
async function answered(questions) {
  const byText = new Map();
  for (const [i, { cases }] of questions.entries())
    for (const { state, truth } of cases) byText.set(state, [...(byText.get(state) ?? []), { i, truth }]);
  const results = questions.map((question) => ({ ...question, answers: [] }));
  for (const [state, of] of byText) {
    const request = { state, questions: Object.fromEntries(of.map(({ i }) => [`q${i}`, questions[i].question])) };
    const { answers } = await decider.decide(request);
    for (const { i, truth } of of) results[i].answers.push(judged(answers[`q${i}`], truth));
  }
  return results;
}

function judged(answer, truth) {
  const { isRight } = outcomeOf(answer, truth);
  const probabilities = Float64Array.from(answer.type === "noul" ? [answer.noul, 1 - answer.noul] : Object.values(answer.probabilities));
  const warnings = answer.x_warnings ?? [];
  const acts = RATES.map((maxErrorRate) => toExtensionFields(answer.type, probabilities, { calibration, warnings, maxErrorRate }).x_act);
  return { isRight, acts };
}
