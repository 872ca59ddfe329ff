const STATEMENTS = {
  entailment: (hypothesis) => hypothesis,
  neutral: (hypothesis) => `It cannot be told whether this is so: ${hypothesis}`,
  contradiction: (hypothesis) => `This is false: ${hypothesis}`,
  not_entailment: (hypothesis) => `This is false, or cannot be told: ${hypothesis}`,
};
/** Keys of one letter say nothing, so that the statements alone are read. */
const KEYS = ["a", "b", "c"];

/**
 * An NLI set through the public API: a choice among statements about the hypothesis.
 * @param {Pick<import("./read-nli.mjs").NliSet, "rows" | "labels">} set
 * @returns {import("./read-questions.mjs").Case[]}
 */
export function asChoices({ rows, labels }) {
  return rows.map(({ line, premise, hypothesis, label }) => {
    const criteria = Object.fromEntries(labels.map((name, i) => [KEYS[i], STATEMENTS[name](hypothesis)]));
    const question = { type: "choice", instructions: "Which of these statements is right, by this text?", criteria };
    return { line, state: premise, questions: { statement: question }, truths: { statement: KEYS[labels.indexOf(label)] } };
  });
}
