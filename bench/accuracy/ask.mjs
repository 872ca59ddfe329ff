import { createDecider } from "umpire";
import { BadInput } from "./bad-input.mjs";
import { outcomeOf } from "./outcome.mjs";

/**
 * Deciders of one model. Each runs in one thread: two of them answer nearly twice as many requests in a second as one of two threads does, and
 * the answers are the same bit for bit.
 * @param {{ model: string, precision: "int8" | "fp32", count: number }} options
 */
export async function openDeciders({ model, precision, count }) {
  const deciders = await Promise.all(Array.from({ length: count }, () => createDecider({ model, precision, threads: 1 })));
  return {
    info: () => deciders[0].info(),
    /** @param {readonly import("./read-questions.mjs").Case[]} cases @param {string} file for messages */
    ask: (cases, file) => ask(deciders, cases, file),
    close: () => Promise.all(deciders.map((decider) => decider.close())),
  };
}

/**
 * Outcomes of all questions of all cases, in their order. A case is one call; each decider has one call at a time, since a second one waiting
 * gains nothing.
 */
async function ask(deciders, cases, file) {
  const outcomes = new Array(cases.length);
  const left = cases.entries();
  const work = async (decider) => {
    for (const [i, { line, state, questions, truths }] of left) {
      const { answers } = await decider.decide({ state, questions }).catch((error) => {
        throw error.code === "input_too_long" ? new BadInput(`${file}, line ${line}: ${error.message}`, { cause: error }) : error;
      });
      outcomes[i] = Object.entries(truths).map(([id, truth]) => outcomeOf(answers[id], truth));
    }
  };
  await Promise.all(deciders.map(work));
  return outcomes.flat();
}
