// Compares how often answers say that they are right (`x_accuracy`) with how often they were.
import { mean } from "simple-statistics";
import { accuracyError } from "./figures.mjs";
import { accuracy } from "./library.mjs";

/** @typedef {import("../../src/tools/eval/report.ts").Outcome} Outcome */

const choiceOf = (least, most) => (outcome) =>
  outcome.type === "choice" && outcome.options.length >= least && outcome.options.length <= most;
const ofType = (type) => (outcome) => outcome.type === type;

/** @type {readonly (readonly [string, (outcome: Outcome) => boolean])[]} */
const GROUPS = [
  ["choice, 2 options", choiceOf(2, 2)],
  ["choice, 3-5", choiceOf(3, 5)],
  ["choice, 6-10", choiceOf(6, 10)],
  ["choice, 11-30", choiceOf(11, 30)],
  ["choice, 31-255", choiceOf(31, 255)],
  ["yes/no", ofType("noul")],
  ["score", ofType("score")],
];

/**
 * @param {readonly Outcome[]} outcomes those that state no `x_accuracy` are left out
 * @returns {{ name: string, n: number, stated: number, right: number, error: number }[]} means of what is stated, shares right, and the ECE; no empty groups
 */
export function promisesOf(outcomes) {
  const stating = outcomes.filter(({ statedAccuracy }) => statedAccuracy !== undefined);
  return GROUPS.map(([name, isIn]) => ({ name, within: stating.filter(isIn) }))
    .filter(({ within }) => within.length > 0)
    .map(({ name, within }) => ({
      name,
      n: within.length,
      stated: mean(within.map(({ statedAccuracy }) => statedAccuracy)),
      right: accuracy(within),
      error: accuracyError(within),
    }));
}
