// Rows in the product's own form: {"state","questions":{id:{type,instructions,criteria,answer}}}.
import { wrongRow } from "./bad-input.mjs";
import { checkRequest } from "./check-request.mjs";
import { shapeOf } from "./library.mjs";

/**
 * @param {string} file for messages
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
        throw wrongRow(file, line, `has ${shapeOf(answer)} as answer of question ${i + 1}, a ${question.type}, which does not allow it`);
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

/** The right option's key, or undefined where `answer` names none: a key of a choice, true or false of a noul, the level's number of a score. */
function truthOf({ type, criteria }, answer) {
  if (type === "noul") return typeof answer === "boolean" ? (answer ? "yes" : "no") : undefined;
  if (type === "choice") return typeof answer === "string" && Object.hasOwn(criteria, answer) ? answer : undefined;
  return Number.isInteger(answer) && answer >= 0 && answer < criteria.length ? String(answer) : undefined;
}
