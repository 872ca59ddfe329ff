import { createDecider } from "umpire";
import { badInput, outcomeOf } from "./library.mjs";

/**
 * Opens several single-threaded deciders of one model. Two of them answer nearly twice as many requests per second as one with two threads, and
 * the answers are identical to the last bit.
 * @param {{ model: string, precision: "int8" | "fp32", count: number }} options
 */
export async function openDeciders({ model, precision, count }) {
  const deciders = await Promise.all(Array.from({ length: count }, () => createDecider({ model, precision, threads: 1 })));
  return {
    info: () => deciders[0].info(),
    /** @param {readonly import("./read-questions.mjs").Case[]} cases @param {string} file named in error messages */
    ask: (cases, file) => ask(deciders, cases, file),
    close: () => Promise.all(deciders.map((decider) => decider.close())),
  };
}

/**
 * Returns the outcomes of all questions of all cases, in order. A case is one call. Each decider gets one call at a time, because queueing a
 * second one gains nothing.
 */
async function ask(deciders, cases, file) {
  const outcomes = new Array(cases.length);
  const left = cases.entries();
  const work = async (decider) => {
    for (const [i, { line, state, questions, truths }] of left) {
      const { answers } = await decider.decide({ state, questions }).catch((error) => {
        throw error.code === "input_too_long" ? badInput(`${file}, line ${line}: ${error.message}`, { cause: error }) : error;
      });
      outcomes[i] = Object.entries(truths).map(([id, truth]) => outcomeOf(answers[id], truth));
    }
  };
  await Promise.all(deciders.map(work));
  return outcomes.flat();
}
