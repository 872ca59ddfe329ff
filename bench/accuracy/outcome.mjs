/**
 * One answered question beside the truth.
 * @typedef {object} Outcome
 * @property {"choice" | "noul" | "score" | "nli"} type
 * @property {readonly string[]} options keys; "yes" and "no" of a noul, "0" to "n-1" of a score
 * @property {string} truth the option that is right
 * @property {string} said the answer given: the likeliest option
 * @property {number} probability of the answer given, 0 to 1
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
 * @param {Readonly<Record<string, number>>} byOption probabilities; the first of equals is said
 * @param {string} truth
 * @returns {Outcome}
 */
export function outcomeOfProbabilities(type, byOption, truth) {
  const options = Object.keys(byOption);
  const said = options.reduce((best, option) => (byOption[option] > byOption[best] ? option : best));
  return { type, options, truth, said, probability: byOption[said] };
}
