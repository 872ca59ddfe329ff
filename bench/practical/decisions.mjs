/** Two questions are asked of the same comments. */
const TEXTS_OF = { advertising: "spam" };

/**
 * The decisions by kind, each with its question, its state and its right answer.
 * @param {(file: string) => Promise<string>} read a file of this folder
 */
export async function readDecisions(read) {
  const questions = JSON.parse(await read("questions.json"));
  const policies = JSON.parse(await read("policies.json"));
  return Promise.all(
    Object.entries(questions).map(async ([kind, question]) => {
      const lines = (await read(`${TEXTS_OF[kind] ?? kind}.tsv`)).split("\n").filter((line) => line !== "");
      return { kind, decisions: lines.map((line) => decisionOf(line.split("\t"), question, policies)) };
    }),
  );
}

/** The right answer, the policy if there is one, the text. */
function decisionOf([truth, ...rest], question, policies) {
  const state = rest.at(-1);
  if (rest.length === 1) return { truth, state, question };
  return { truth, state, question: { ...question, instructions: question.instructions.replace("{policy}", policies[rest[0]]) } };
}
