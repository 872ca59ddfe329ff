// Asks one model all questions and collects the outcomes.
import { openDeciders } from "./ask.mjs";
import { openPackIn, packUrlOf, readTokenizer, sampled } from "./library.mjs";
import { longStates } from "./long-states.mjs";
import { asChoices } from "./nli-as-choice.mjs";
import { openNli } from "./nli.mjs";

/**
 * @typedef {import("../../src/tools/eval/report.ts").Outcome} Outcome
 *
 * @typedef {object} Options
 * @property {number} rows maximum number of rows per set
 * @property {number} seed for choosing the rows
 * @property {number} flips rows per set to ask again in fp32; 0 for none
 * @property {number} long rows to ask again in long states; 0 for none
 * @property {number} deciders that run in parallel
 *
 * @typedef {object} MeasuredSet
 * @property {"cls" | "decisions" | "twins" | "nli" | "nli as choice"} kind
 * @property {string} name
 * @property {string} [instructions]
 * @property {number} seconds taken by the int8 answers
 * @property {Outcome[]} outcomes
 * @property {Outcome[]} fp32 the fp32 graph's outcomes for the first questions
 * @property {readonly boolean[]} [bothRight] of twins: for each question whose right answers differ, whether both were given
 *
 * @typedef {object} Measured
 * @property {import("umpire").DeciderInfo} info
 * @property {MeasuredSet[]} sets
 * @property {{ rows: number, alone: Outcome[], byWindow: Outcome[][] } | undefined} long
 */

/**
 * @param {string} model catalogue id, `latest`, or a pack's folder
 * @param {{ questions: import("./read-questions.mjs").QuestionSet[], nli: import("./read-nli.mjs").NliSet[] }} data
 * @param {Options} options
 * @param {(line: string) => void} say prints a line of progress
 * @returns {Promise<Measured>}
 */
export async function measureModel(model, data, options, say) {
  const { rows, seed, flips, deciders: count } = options;
  const int8 = await openDeciders({ model, precision: "int8", count });
  const fp32 = flips > 0 ? await openDeciders({ model, precision: "fp32", count }) : undefined;
  try {
    const info = await int8.info();
    const pack = packUrlOf(model, info.model);
    const timed = async (kind, name, size, task) => {
      const start = performance.now();
      const outcomes = await task();
      const seconds = (performance.now() - start) / 1000;
      say(`${info.model}  ${kind} ${name}: ${size} rows, ${seconds.toFixed(1)} s, ${(size / seconds).toFixed(1)} rows/s`);
      return { kind, name, seconds, outcomes };
    };
    const asked = async (kind, { name, file }, cases) => ({
      ...(await timed(kind, name, cases.length, () => int8.ask(cases, file))),
      fp32: (await fp32?.ask(cases.slice(0, flips), file)) ?? [],
    });
    // Built first, so that missing data shows up before hours of work.
    const long = options.long > 0 ? await longStatesOf(data.questions, info, pack, options) : undefined;
    const sets = [];
    for (const set of data.questions) {
      const { instructions, asksInGeneral } = set;
      if (asksInGeneral) say(`${set.name} has no question of its own. A general one is asked, which costs accuracy.`);
      const chosen = set.kind === "twins" ? sampledPairs(set.cases, rows, seed) : sampled(set.cases, rows, seed);
      const result = { ...(await asked(set.kind, set, chosen)), ...(instructions !== undefined && { instructions }) };
      sets.push(set.kind === "twins" ? { ...result, bothRight: bothRightOf(chosen, result.outcomes) } : result);
    }
    for (const set of data.nli) {
      const chosen = { ...set, rows: sampled(set.rows, rows, seed) };
      const again = { ...set, rows: chosen.rows.slice(0, flips) };
      const result = await timed("nli", set.name, chosen.rows.length, () => judgeAll(pack, "int8", count, chosen));
      sets.push({ ...result, fp32: flips > 0 ? await judgeAll(pack, "fp32", count, again) : [] });
      sets.push(await asked("nli as choice", set, asChoices(chosen)));
    }
    return { info, sets, long: long && (await measureLong(int8, long, timed)) };
  } finally {
    await Promise.all([int8.close(), fp32?.close()]);
  }
}

/** So many rows at most, each with its twin. */
function sampledPairs(cases, rows, seed) {
  const pairs = Array.from({ length: cases.length / 2 }, (_, i) => cases.slice(2 * i, 2 * i + 2));
  return sampled(pairs, Math.floor(rows / 2), seed).flat();
}

/** Of each question whose right answer is another one in its twin, whether both answers are right. */
function bothRightOf(cases, outcomes) {
  const left = outcomes.values();
  const answered = cases.map(({ truths }) => new Map(Object.keys(truths).map((id) => [id, left.next().value])));
  return answered.flatMap((first, i) => {
    if (i % 2 === 1) return [];
    const second = answered[i + 1];
    const changed = [...first].filter(([id, { truth }]) => second.has(id) && second.get(id).truth !== truth);
    return changed.map(([id, outcome]) => outcome.isRight && second.get(id).isRight);
  });
}

async function judgeAll(pack, precision, threads, { rows, labels }) {
  const nli = await openNli(pack, { precision, threads });
  try {
    const outcomes = [];
    for (const row of rows) outcomes.push(await nli.judge(row, labels));
    return outcomes;
  } finally {
    await nli.release();
  }
}

/** Places texts from decisions sets in long states, amid news articles if there is a news set. Undefined if there are no decisions sets. */
async function longStatesOf(sets, { limits }, pack, { long: count, seed }) {
  const casesOf = (chosen) => chosen.flatMap(({ cases }) => cases);
  const decisions = casesOf(sets.filter(({ kind }) => kind === "decisions"));
  const news = casesOf(sets.filter(({ name }) => name === "bbc_news")).map(({ state }) => state);
  const { tokenize } = await readTokenizer(await openPackIn(pack.href));
  return decisions.length === 0 ? undefined : longStates(decisions, news, { count, seed, limits, tokenize });
}

async function measureLong(deciders, { alone, byWindow }, timed) {
  const ask = async (name, cases) => (await timed("long states", name, cases.length, () => deciders.ask(cases, name))).outcomes;
  const placed = [];
  for (const [window, cases] of byWindow.entries()) placed.push(await ask(`window ${window + 1} of ${byWindow.length}`, cases));
  return { rows: alone.length, alone: await ask("alone", alone), byWindow: placed };
}
