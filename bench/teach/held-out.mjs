// Sets of the data folder that training never saw, for choosing what is measured on the eval sets: each as a choice, and as yes/no questions of its labels. Scores are of
// rows that training left out.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { sampled } from "../accuracy/library.mjs";
import { readQuestions } from "../accuracy/read-questions.mjs";

/** As models/training/umpire_recipe/prepare/holdout.py has them, with yes/no questions and the labels that mean yes. */
const HELD_OUT = {
  customer_reviews_cr: [["Does the customer like it?", /^positive/]],
  edos_sexism: [["Is this comment sexist?", /^sexist/]],
  isear_emotion: [
    ["Is the person ashamed or feeling guilty?", /^(shame|guilt)/],
    ["Is the person afraid?", /^fear/],
  ],
  rasa_nlu: [["Is the message about the weather?", /^weather/]],
  reuters_r8: [
    ["Is this about a company's earnings?", /^earnings/],
    ["Is this about a takeover or a merger of companies?", /^acquisitions/],
  ],
  satd_comments: [["Does the comment admit that something is missing or badly made?", /debt$|defect/]],
};
const SCALES = {
  amazon5: ["very negative", "negative", "neutral", "positive", "very positive"],
  flipkart_laptop_rating: ["1 star", "2 stars", "3 stars", "4 stars", "5 stars"],
};
const SHARE_HELD_OUT = 0.07;

/** @param {string} data @param {{ rows: number, seed: number, only?: readonly string[] }} options @returns {Promise<import("./sets.mjs").TaughtSet[]>} */
export async function readHeldOut(data, { rows, seed, only }) {
  const sets = [];
  const casesOf = async (name) => (await readQuestions(join(data, "cls", "train", `${name}.jsonl.gz`))).cases;
  for (const [name, nouls] of Object.entries(HELD_OUT)) {
    if (only !== undefined && !only.includes(name)) continue;
    const cases = await casesOf(name);
    const { label } = cases[0].questions;
    const chosen = sampled(cases, rows, seed).map(({ state, truths }) => ({ state, answer: truths.label }));
    const criteria = Object.fromEntries(Object.keys(label.criteria).map((option) => [option, null]));
    sets.push({ name, isInMean: true, question: { ...label, criteria }, rows: chosen });
    for (const [instructions, yes] of nouls) {
      const answered = chosen.map(({ state, answer }) => ({ state, answer: yes.test(answer) }));
      sets.push({ name: `${name}: ${instructions}`, isInMean: true, question: { type: "noul", instructions }, rows: answered });
    }
  }
  for (const [name, criteria] of Object.entries(SCALES)) {
    if (only !== undefined && !only.includes(name)) continue;
    const cases = await casesOf(name);
    const { instructions } = cases[0].questions.label;
    const left = cases.filter(({ state }) => createHash("sha256").update(state).digest().readUInt32BE(0) < SHARE_HELD_OUT * 2 ** 32);
    const answered = left.map(({ state, truths }) => ({ state, answer: criteria.indexOf(truths.label) }));
    sets.push({ name, isInMean: true, question: { type: "score", instructions, criteria }, rows: answered.slice(0, rows) });
  }
  return sets;
}
