// The classification sets that are taught, and which rows are examples and which are tests.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sampled } from "../accuracy/library.mjs";
import { readQuestions } from "../accuracy/read-questions.mjs";

/** A set with more options than examples, two with too few rows or labels, and one that asks another question of every text are measured, but not in the mean. */
const APART = ["hwu64", "prompt_injection_valid", "piguard_benign_hard", "boolq"];

/**
 * @typedef {object} TaughtSet
 * @property {string} name
 * @property {boolean} isInMean
 * @property {import("umpire").ChoiceQuestion} question labels without descriptions, as most users would write them
 * @property {readonly { state: string, answer: string }[]} rows
 */

/**
 * @param {string} data the data folder
 * @param {{ rows: number, seed: number, only?: readonly string[] }} options `rows`: of each set at most, chosen at random
 * @returns {Promise<TaughtSet[]>} in order of their names
 */
export async function readSets(data, { rows, seed, only }) {
  const folder = join(data, "cls", "eval");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".jsonl.gz")).sort();
  const sets = [];
  for (const file of files) {
    const { name, cases } = await readQuestions(join(folder, file));
    if (only !== undefined && !only.includes(name)) continue;
    const [{ questions }] = cases;
    const options = Object.keys(questions.label.criteria);
    const question = { ...questions.label, criteria: Object.fromEntries(options.map((option) => [option, null])) };
    const chosen = sampled(cases, rows, seed).map(({ state, truths }) => ({ state, answer: truths.label }));
    if (new Set(chosen.map(({ answer }) => answer)).size > 1) sets.push({ name, isInMean: !APART.includes(name), question, rows: chosen });
  }
  return sets;
}

/**
 * A draw: `examples` of a set's rows, chosen at random, and up to `tests` others.
 * @template T
 * @param {readonly T[]} rows
 * @param {{ examples: number, tests: number, seed: number }} options
 * @returns {{ examples: T[], tests: T[] } | undefined} undefined if fewer than half of the tests would be left
 */
export function draw(rows, { examples, tests, seed }) {
  const order = sampled(rows, rows.length, seed);
  const left = order.slice(examples, examples + tests);
  return left.length >= tests / 2 ? { examples: order.slice(0, examples), tests: left } : undefined;
}
