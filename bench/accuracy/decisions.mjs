// Rows in the form of a request: {"state","questions":{id:{type,instructions,criteria,answer}}}.
import { wrongRow } from "./bad-input.mjs";
import { checkRequest } from "./check-request.mjs";
import { shapeOf } from "./library.mjs";

/**
 * @param {string} file named in error messages
 * @param {readonly { line: number, value: unknown }[]} rows
 * @returns {import("./read-questions.mjs").Case[]}
 * @throws {BadInput}
 */
export function toDecisions(file, rows) {
  return rows.map(({ line, value }) => {
    checkRequest(file, line, value);
    const entries = Object.entries(value.questions).map(([id, { answer, ...question }], i) => {
      const truth = truthOf(question, answer);
      if (truth === undefined)
        throw wrongRow(
          file,
          line,
          `has ${shapeOf(answer)} as answer to question ${i + 1}, which a ${question.type} question does not allow`,
        );
      return { id, question, truth };
    });
    return {
      line,
      state: value.state,
      questions: Object.fromEntries(entries.map(({ id, question }) => [id, question])),
      truths: Object.fromEntries(entries.map(({ id, truth }) => [id, truth])),
    };
  });
}

/**
 * The right option's key, or undefined if `answer` is not valid for this type. A choice takes one of its keys, a noul (yes/no question) true or
 * false, a score the number of a level.
 */
function truthOf({ type, criteria }, answer) {
  if (type === "noul") return typeof answer === "boolean" ? (answer ? "yes" : "no") : undefined;
  if (type === "choice") return typeof answer === "string" && Object.hasOwn(criteria, answer) ? answer : undefined;
  return Number.isInteger(answer) && answer >= 0 && answer < criteria.length ? String(answer) : undefined;
}
