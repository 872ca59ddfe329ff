// npm run bench:windows -- <pack> <data folder>: how the scores of a long state's windows should become one.
// A short text with a question is put among texts about other things, so that one window of four holds it. The pack must have been added with
// --template "{option}". Only train folders of the data are read.
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { mean } from "simple-statistics";
import { EnginePool, columns, parseRequest, platform, sampled, toBatch } from "./accuracy/library.mjs";
import { readQuestions } from "./accuracy/read-questions.mjs";

const ROWS_A_SET = Number(process.env.BENCH_ROWS ?? 4);
const MAX_OPTIONS = 8;
const WINDOWS = 4;
const WINDOW_CHARACTERS = 1100;
const SEED = 7;
const TEMPLATE = "This is about {option}.";

const largest = (values) => Math.max(...values);
const logSumExp = (values) => largest(values) + Math.log(values.reduce((sum, value) => sum + Math.exp(value - largest(values)), 0));
/** Each takes scores by window and option, and gives one score an option. */
const byOption = (join) => (windows) => windows[0].map((_, option) => join(windows.map((scores) => scores[option])));
const JOINS = {
  max: byOption(largest),
  mean: byOption(mean),
  "log of summed odds": byOption(logSumExp),
  "the window with the largest score": (windows) => windows.reduce((best, scores) => (largest(scores) > largest(best) ? scores : best)),
  "the window with the largest gap": (windows) => windows.reduce((best, scores) => (gap(scores) > gap(best) ? scores : best)),
};
const gap = (scores) => {
  const [first, second] = [...scores].sort((a, b) => b - a);
  return first - second;
};

const [packFolder, data] = process.argv.slice(2);
if (data === undefined) {
  console.error("Usage: node bench/windows.mjs <pack> <data folder>");
  process.exit(2);
}
const pool = new EnginePool(platform, pathToFileURL(`${resolve(packFolder)}/`).href, {
  device: "auto",
  precision: undefined,
  threads: 2,
  inline: true,
});

async function casesIn(folder) {
  const files = (await readdir(folder)).filter((file) => /\.jsonl(\.gz)?$/.test(file) && !file.startsWith("public"));
  const sets = await Promise.all(files.map((file) => readQuestions(join(folder, file))));
  return sets.flatMap(({ name, cases }) => sampled(cases, ROWS_A_SET, SEED).map((one) => ({ set: name, ...one })));
}

const all = [...(await casesIn(join(data, "cls/train"))), ...(await casesIn(join(data, "decisions/train")))];
const texts = all.map(({ state }) => state).filter((state) => typeof state === "string");

/** Texts about other things, as long as a window. */
function filler(index, window) {
  let text = "";
  for (let i = 1; text.length < WINDOW_CHARACTERS; i++) text += `${texts[(index * 31 + window * 97 + i * 13) % texts.length]}\n`;
  return text.slice(0, WINDOW_CHARACTERS);
}

const right = Object.fromEntries(["alone", ...Object.keys(JOINS)].map((name) => [name, []]));
for (const [index, { state, questions, truths }] of all.entries()) {
  if (typeof state !== "string" || state.length > WINDOW_CHARACTERS / 2) continue;
  const request = parseRequest({ state, questions });
  const read = toBatch(request).questions;
  for (const [i, { id, type, criteria }] of request.questions.entries()) {
    const answer = criteria.findIndex(({ key }) => key === truths[id]);
    if (type !== "choice" || answer < 0 || criteria.length > MAX_OPTIONS) continue;
    const options = read[i].options.map(({ text }) => ({ text: TEMPLATE.replace("{option}", () => text), sent: [], answer: null }));
    const scoresOf = async (text) => [
      ...(await pool.score({ state: text, questions: [{ type, instructions: "", options }] })).scores.questions[0].scores,
    ];
    const place = index % WINDOWS;
    const windows = [];
    for (let w = 0; w < WINDOWS; w++)
      windows.push(await scoresOf(w === place ? `${filler(index, w).slice(0, WINDOW_CHARACTERS / 4)}\n${state}` : filler(index, w)));
    right.alone.push(Number(likeliest(await scoresOf(state)) === answer));
    for (const [name, join] of Object.entries(JOINS)) right[name].push(Number(likeliest(join(windows)) === answer));
  }
}
await pool.close();

function likeliest(scores) {
  return scores.indexOf(largest(scores));
}

const rows = Object.entries(right).map(([name, values]) => [name, mean(values).toFixed(3), String(values.length)]);
console.log(columns([["windows", "accuracy", "questions"], ...rows]));
