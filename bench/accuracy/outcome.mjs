/**
 * One answered question with its right answer.
 * @typedef {object} Outcome
 * @property {"choice" | "noul" | "score" | "nli"} type
 * @property {readonly string[]} options keys; "yes" and "no" for a noul (yes/no question), "0" to "n-1" for a score
 * @property {string} truth the right option
 * @property {string} said the given answer: the most likely option
 * @property {number} probability of the given answer, 0 to 1
 */

/**
 * @param {import("umpire").Answer} answer
 * @param {string} truth
 * @returns {Outcome}
 */
export function outcomeOf(answer, truth) {
  const byOption = answer.type === "noul" ? { yes: answer.noul, no: 1 - answer.noul } : answer.probabilities;
  return outcomeOfProbabilities(answer.type, byOption, truth);
}

/**
 * @param {Outcome["type"]} type
 * @param {Readonly<Record<string, number>>} byOption probabilities; in a tie the first option wins
 * @param {string} truth
 * @returns {Outcome}
 */
export function outcomeOfProbabilities(type, byOption, truth) {
  const options = Object.keys(byOption);
  const said = options.reduce((best, option) => (byOption[option] > byOption[best] ? option : best));
  return { type, options, truth, said, probability: byOption[said] };
}
