const STATEMENTS = {
  entailment: (hypothesis) => hypothesis,
  neutral: (hypothesis) => `It cannot be told whether this is so: ${hypothesis}`,
  contradiction: (hypothesis) => `This is false: ${hypothesis}`,
  not_entailment: (hypothesis) => `This is false, or cannot be told: ${hypothesis}`,
};
/** Single letters carry no meaning, so only the statements matter. */
const KEYS = ["a", "b", "c"];

/**
 * Turns an NLI set into requests for the public API: each row is a choice among statements about the hypothesis.
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
